import { createRouter, type RoutePattern, type Router } from '../../lib/router.ts';
import type { Dialect, Handler } from './dialect.ts';
import { createNoRoute, type NoRoute } from './no-route.ts';
import type { ApisOn } from './wrong-base.ts';

export type Route = Handler &
  RoutePattern & {
    /** For metrics; may be shared. */
    readonly name: string;
    readonly dialect: Dialect;
  };

export interface RouteTable {
  readonly find: Router<Route>;
  /** For paths without a route. */
  readonly dialectOf: (path: string) => Dialect;
  readonly noRoute: NoRoute;
}

export interface Mount {
  /** Ends in a slash. */
  readonly prefix: string;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
}

/** `own` answers paths outside all mounts. */
export function createRouteTable(
  routes: readonly Route[],
  own: Dialect,
  others: readonly Mount[] = [],
  on: ApisOn = { openai: false, anthropic: false },
): RouteTable {
  return {
    find: createRouter([...routes, ...others.flatMap((mount) => mount.routes)]),
    dialectOf: (path) => others.find(({ prefix }) => path.startsWith(prefix))?.dialect ?? own,
    noRoute: createNoRoute(on),
  };
}
