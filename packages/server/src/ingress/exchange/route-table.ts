import { createRouter, type RoutePattern, type Router } from '../../lib/router.ts';
import type { Dialect, Handler } from './dialect.ts';
import { createNoRoute, type NoRoute } from './no-route.ts';
import type { ApisOn } from './wrong-base.ts';

/** A route: which requests it takes, its dialect, and what becomes of them. */
export type Route = Handler &
  RoutePattern & {
    /** For metrics; several routes may share it. */
    readonly name: string;
    readonly dialect: Dialect;
  };

/** Every route of the public listener. */
export interface RouteTable {
  readonly find: Router<Route>;
  /** The dialect where no route is. */
  readonly dialectOf: (path: string) => Dialect;
  readonly noRoute: NoRoute;
}

/** A dialect that is spoken below a path of its own. */
export interface Mount {
  /** Ends in a slash. */
  readonly prefix: string;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
}

/** The table of these routes; `own` answers what no mount's paths begin with. */
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
