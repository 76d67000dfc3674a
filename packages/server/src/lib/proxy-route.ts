import { parseNoProxy } from './no-proxy.ts';
import type { Proxies, ProxyAddress } from './proxy-address.ts';

/** Undefined means a direct call. */
export type ProxySelector = (url: URL) => ProxyAddress | undefined;

export interface RouteSettings {
  readonly proxy?: ProxyAddress | 'none' | undefined;
  readonly proxies?: Proxies | undefined;
}

/** Hosts that only this machine reaches are always called directly. */
export function createRoutes({ proxy, proxies }: RouteSettings): ProxySelector {
  if (proxy === 'none' || (proxy === undefined && proxies === undefined)) return () => undefined;
  // A proxy named by one platform applies to all its calls, so `NO_PROXY` does not.
  const isDirect = parseNoProxy(proxy === undefined ? (proxies?.noProxy ?? '') : '');
  if (typeof isDirect !== 'function') throw new Error(`NO_PROXY ${isDirect.problem}`);
  return (url) => {
    const isHttps = url.protocol === 'https:';
    const selected = proxy ?? (isHttps ? proxies?.https : proxies?.http);
    if (selected === undefined) return undefined;
    const port = url.port === '' ? (isHttps ? 443 : 80) : Number(url.port);
    return isDirect(url.hostname, port) ? undefined : selected;
  };
}
