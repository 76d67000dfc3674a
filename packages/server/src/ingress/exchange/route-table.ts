import { CallError } from '../../calls/model/call-error.ts';
import { createRouter, type RoutePattern, type Router } from '../../lib/router.ts';
import type { Dialect, Handler, RequestHead } from './dialect.ts';
import { type ApisOn, rightBaseOf } from './wrong-base.ts';

export type Route = Handler &
  RoutePattern & {
    /** For metrics; may be shared. */
    readonly name: string;
    readonly dialect: Dialect;
  };

export interface RouteTable {
  readonly find: Router<Route>;
  readonly dialectOf: (path: string) => Dialect;
  readonly noRoute: NoRoute;
}

export interface Mount {
  /** Ends in a slash. */
  readonly prefix: string;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
}

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

type NoRoute = (
  request: Pick<RequestHead, 'method' | 'path'>,
  dialect: Pick<Dialect, 'routeList'>,
  isStreaming: boolean,
) => CallError;

/** Suggests the right base URL to misconfigured clients, and lists routes to all others. */
function createNoRoute(on: ApisOn): NoRoute {
  return ({ method, path }, dialect, isStreaming) => {
    const base = rightBaseOf(path, on);
    const hint = base === undefined ? '' : `${base}. Here `;
    const list = `the routes are ${dialect.routeList(isStreaming)}`;
    const message = `The route ${clip(method)} ${clip(path)} does not exist; ${hint}${list}.`;
    return new CallError('NOT_FOUND', message);
  };
}

function clip(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
