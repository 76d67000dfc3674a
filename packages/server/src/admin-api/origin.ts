import type { Config } from '../domain/config.ts';
import { isLoopback } from '../domain/loopback.ts';
import { ConsoleError } from '../operations/console-error.ts';
import { type ConsoleRequest, jsonType, mediaType } from './http.ts';

/** The names that the console is known by: a page of another site can have none of them. */
export function checkHost(request: ConsoleRequest, url: string | undefined): void {
  const { host = '' } = request.headers;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (name === 'localhost' || name === '127.0.0.1' || name === '[::1]') return;
  if (url !== undefined && host.toLowerCase() === new URL(url).host) return;
  if (url !== undefined && name === new URL(url).hostname) return;
  throw new ConsoleError(
    'MISDIRECTED',
    `the console is not known as ${JSON.stringify(name.slice(0, 255))}: console.url of the configuration names it`,
  );
}

/** Requirements that a request from a page of another site cannot meet. */
interface OriginRules {
  /** The address of the console. */
  readonly url: string | undefined;
  /** Whether the request carries a token, which no such page can make a browser add. */
  readonly hasToken: boolean;
  /** Further types of bodies that the route takes. */
  readonly types?: readonly string[] | undefined;
}

/**
 * Refuses what a page of another site makes a browser send: before the body is
 * read.
 */
export function checkOrigin(request: ConsoleRequest, { url, hasToken, types = [] }: OriginRules) {
  const { headers, method } = request;
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) {
    throw crossSite('a page of another site asks for this');
  }
  if (isRead) return;
  // A page of another site may send none of these without asking first, which is refused.
  const type = headers['content-type'] ?? '';
  if (!jsonType.test(type) && !types.includes(mediaType(type))) {
    throw crossSite(`content-type must be ${['application/json', ...types].join(', ')}`);
  }
  if (hasToken) return;
  if (headers['x-requested-with'] !== 'console') {
    throw crossSite('the header x-requested-with must be console');
  }
  if (site === undefined && !isOwnOrigin(request, url)) {
    throw crossSite('the header origin must be that of the console');
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

/**
 * Whether the browser sends the console's cookies to other programs too: every port of loopback
 * gets them. Under the public name, behind TLS, it does not.
 */
export function sharesCookies({ headers }: ConsoleRequest, config: Pick<Config, 'console'>) {
  const { url } = config.console;
  if (url === undefined || !isSecure(config)) return true;
  const name = (headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
  return name !== new URL(url).hostname;
}

/** Whether the console's cookies are for TLS alone. */
export function isSecure({ console }: Pick<Config, 'console'>): boolean {
  return console.url?.startsWith('https:') === true;
}
