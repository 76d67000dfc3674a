import type { PlatformConfig } from '../domain/platform.ts';
import { createRoutes } from '../lib/proxy-route.ts';
import { baseUrlOf } from './http/base-url.ts';

/** How a platform is reached, without secrets. */
export interface RouteName {
  /** The host and port of the proxy, or `direct`. */
  readonly route: string;
  /** The variable or the key that names the proxy. */
  readonly from?: string;
}

/** Undefined for a platform in this process, and for one whose host only its package knows. */
export function routeNameOf(config: PlatformConfig): RouteName | undefined {
  const url = baseUrlOf(config);
  if (url === undefined) return undefined;
  const proxy = createRoutes(config)(new URL(url));
  return proxy === undefined ? { route: 'direct' } : { route: proxy.label, from: proxy.from };
}
