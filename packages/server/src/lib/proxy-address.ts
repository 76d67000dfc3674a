export interface ProxyAddress {
  /** The proxy itself is called over TLS. */
  readonly isSecure: boolean;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** Host and port only, for logs and sentences. */
  readonly label: string;
  /** The value of `proxy-authorization`: a secret. */
  readonly authorization?: string;
  readonly from: string;
}

export interface Proxies {
  readonly https?: ProxyAddress;
  readonly http?: ProxyAddress;
  readonly noProxy: string;
}

const charactersMax = 2_000;

const example = 'use for example http://proxy.example.com:3128';

/** `problem` quotes no part of it, because it might contain a password. */
export function parseProxy(
  text: string,
  from: string,
): ProxyAddress | { readonly problem: string } {
  if (text.length > charactersMax) {
    return { problem: `is longer than ${charactersMax} characters; ${example}` };
  }
  // Like curl, reads a host and a port as HTTP.
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (/^socks/i.test(full)) {
    return { problem: `is a SOCKS proxy, which is not supported; ${example}` };
  }
  const url = URL.canParse(full) ? new URL(full) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isHttp || /[\s\\]/.test(text)) {
    return { problem: `must be the URL of a proxy; ${example}` };
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return { problem: `must end with the proxy's port, without a path; ${example}` };
  }
  const authorization = authorizationOf(url);
  if (authorization === undefined) {
    return { problem: 'has a user or a password with a "%" that must be written as %25' };
  }
  const isSecure = url.protocol === 'https:';
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port);
  return {
    ...{ isSecure, port, from },
    host: url.hostname.replace(/^\[|\]$/g, ''),
    label: `${url.hostname}:${port}`,
    ...(authorization !== '' && { authorization }),
  };
}

/** Empty without a user; undefined for invalid percent-encoding. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return '';
  try {
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return `Basic ${Buffer.from(login).toString('base64')}`;
  } catch {
    return undefined;
  }
}
