import type { Config } from '../../domain/config.ts';
import { isLoopback } from '../../domain/loopback.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';
import { type ConsoleRequest, jsonType, mediaType } from './http.ts';

/** A page of another site cannot have one of these names. */
export function checkHost(request: ConsoleRequest, url: string | undefined): void {
  const { host = '' } = request.headers;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (name === 'localhost' || name === '127.0.0.1' || name === '[::1]') return;
  if (url !== undefined && host.toLowerCase() === new URL(url).host) return;
  if (url !== undefined && name === new URL(url).hostname) return;
  throw new ConsoleError(
    'MISDIRECTED',
    `unknown host ${JSON.stringify(name.slice(0, 255))}; set console.url in the configuration`,
  );
}

/** A page of another site cannot meet these rules. */
interface OriginRules {
  readonly url: string | undefined;
  /** No page of another site can make a browser add a token. */
  readonly hasToken: boolean;
  readonly types?: readonly string[] | undefined;
}

/** Runs before the body is read: a page of another site can make a browser send requests. */
export function checkOrigin(request: ConsoleRequest, { url, hasToken, types = [] }: OriginRules) {
  const { headers, method } = request;
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) {
    throw crossSite('cross-site requests are not allowed');
  }
  if (isRead) return;
  // For these types a page of another site needs a preflight request, which is rejected.
  const type = headers['content-type'] ?? '';
  if (!jsonType.test(type) && !types.includes(mediaType(type))) {
    throw crossSite(`content-type must be ${['application/json', ...types].join(', ')}`);
  }
  if (hasToken) return;
  if (headers['x-requested-with'] !== 'console') {
    throw crossSite('the header x-requested-with must be console');
  }
  if (site === undefined && !isOwnOrigin(request, url)) {
    throw crossSite('the header origin must match the origin of the console');
  }
}

function isOwnOrigin({ headers }: ConsoleRequest, url: string | undefined): boolean {
  const { origin = '', host = '' } = headers;
  if (url !== undefined && origin === new URL(url).origin) return true;
  return origin === `http://${host}` && isLoopback(host.replace(/:\d{1,5}$/, ''));
}

function crossSite(message: string) {
  return new ConsoleError('CROSS_SITE', message);
}

/** Every port of loopback gets the console's cookies; the public name behind TLS is safe. */
export function sharesCookies({ headers }: ConsoleRequest, config: Pick<Config, 'console'>) {
  const { url } = config.console;
  if (url === undefined || !isSecure(config)) return true;
  const name = (headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
  return name !== new URL(url).hostname;
}

export function isSecure({ console }: Pick<Config, 'console'>): boolean {
  return console.url?.startsWith('https:') === true;
}
