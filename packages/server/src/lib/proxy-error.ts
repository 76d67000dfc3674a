import type { ProxyAddress } from './proxy-address.ts';

/** Nothing was sent to the target. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly code: string;
  constructor({ label }: ProxyAddress, code: string, problem: string) {
    super(`the proxy ${label} ${problem}`);
    this.code = code;
  }
}

const headBytesMax = 16_384;

/** Status 0 if not HTTP; content after the head is always wrong. */
interface HeadOfProxy {
  readonly status: number;
  readonly isMore: boolean;
}

export function readHead(text: string): HeadOfProxy | undefined {
  const end = text.indexOf('\r\n\r\n');
  const start = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(text.slice(0, 16));
  const isInvalid = start === null && (text.length >= 16 || end >= 0);
  if (isInvalid || text.length > headBytesMax) return { status: 0, isMore: false };
  if (end < 0) return undefined;
  return { status: Number(start?.[1] ?? 0), isMore: text.length > end + 4 };
}

export function refusalOf(
  proxy: ProxyAddress,
  { status, isMore }: HeadOfProxy,
  host: string,
): ProxyError | undefined {
  const isTunnel = status >= 200 && status < 300;
  if (isTunnel && !isMore) return undefined;
  if (status === 0 || isTunnel) {
    const problem = `did not respond like a proxy; check its address in ${proxy.from}`;
    return new ProxyError(proxy, 'PROXY_ODD_ANSWER', problem);
  }
  return new ProxyError(proxy, `PROXY_${status}`, problemOf(proxy, status, host));
}

function problemOf({ from }: ProxyAddress, status: number, host: string): string {
  if (status === 407) {
    return `requires a login (407); check the user and the password in the URL of ${from}`;
  }
  if (status === 403) return `does not allow ${host} (403); allow that host on the proxy`;
  return `could not connect to ${host} (${status}); check the proxy and its network path to that host`;
}

export function withoutTls(proxy: ProxyAddress, error: Error, host: string): ProxyError {
  const problem = `opened a tunnel, but TLS with ${host} failed in it (${codeIn(error)}); if the proxy inspects TLS, set caFile or NODE_EXTRA_CA_CERTS to its CA`;
  return new ProxyError(proxy, 'PROXY_TLS', problem);
}

/** If this process lacks resources, the proxy is not at fault. */
export function unreachable(proxy: ProxyAddress, error: Error): Error {
  const code = codeIn(error);
  if (code === 'EMFILE' || code === 'ENFILE') return error;
  const problem = `cannot be reached (${code}); check its address in ${proxy.from}`;
  return new ProxyError(proxy, `PROXY_${code}`, problem);
}

function codeIn(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}
