import { baseUrlOf, type PlatformConfig } from '../domain/platform.ts';
import { createRoutes } from '../lib/proxy-route.ts';

/** Without secrets. */
export interface RouteName {
  readonly route: string;
  readonly from?: string;
}

/** Undefined for in-process platforms, and for hosts that only a package knows. */
export function routeNameOf(config: PlatformConfig): RouteName | undefined {
  const url = baseUrlOf(config);
  if (url === undefined) return undefined;
  const proxy = createRoutes(config)(new URL(url));
  return proxy === undefined ? { route: 'direct' } : { route: proxy.label, from: proxy.from };
}
