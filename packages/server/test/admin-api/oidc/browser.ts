import type { ConsoleResponse } from '../../../src/admin-api/http/http.ts';
import { noParts } from '../../support/console.ts';
import type { TestServer } from '../../support/server.ts';

/** The host name under which the browsers of these tests open the console. */
export const host = '127.0.0.1:8788';
/** The address to which the provider sends browsers back. */
export const callback = `http://${host}/admin/v1/login/oidc/callback`;

/** A browser: it stores cookies and the page's values, and sends the site of the request. */
export interface Browser {
  readonly cookies: Map<string, string>;
  /** The values that the console's page stores: `secret`, sent with each request as a header. */
  readonly storage: Map<string, string>;
  /** The values of the last `set-cookie` headers of the console. */
  readonly set: string[];
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<ConsoleResponse>;
}

export function openBrowser({ service }: TestServer): Browser {
  const cookies = new Map<string, string>();
  const storage = new Map<string, string>();
  const set: string[] = [];
  return {
    ...{ cookies, storage, set },
    async ask(path, headers = {}) {
      const { console } = service;
      if (console === undefined) throw new Error('the configuration has no console');
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const secret = storage.get('secret');
      const own = secret === undefined ? {} : { 'x-console-secret': secret };
      const response = await console.handle({
        ...{ method: 'GET', url: path, address: '127.0.0.1' },
        headers: { host, cookie, ...own, 'sec-fetch-site': 'same-origin', ...headers },
        body: async () => new Uint8Array(),
        chunks: noParts,
        disconnected: new AbortController().signal,
      });
      set.splice(0, set.length, ...[response.headers['set-cookie'] ?? []].flat());
      storeCookies(cookies, set);
      const [, secretInPage] = /#secret=(\w+)/.exec(String(response.body)) ?? [];
      if (secretInPage !== undefined) storage.set('secret', secretInPage);
      return response;
    },
  };
}

/** Follows redirects of other sites until one leads back to the console. */
export async function followHome(start: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(start);
  for (let steps = 0; steps < 10; steps++) {
    if (at.host === host) return at;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } });
    storeCookies(cookies, response.headers.getSetCookie());
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at.href} is ${response.status}`);
    at = new URL(location, at);
  }
  throw new Error('it leads nowhere');
}

function storeCookies(cookies: Map<string, string>, set: readonly string[]) {
  for (const each of set) {
    const [pair = ''] = each.split(';');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    if (value === '' || /max-age=0/i.test(each)) cookies.delete(name);
    else cookies.set(name, value);
  }
}
