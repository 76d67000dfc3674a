import type { Static, TSchema } from 'typebox';
import type { AdminContext } from '../../operations/context/context.ts';
import type { Action, Session } from '../../operations/context/session.ts';
import type { ConsoleRequest } from '../http/http.ts';
import type { ConsoleParts } from './console-parts.ts';
import type { RouteApps } from './route-apps.ts';

// A route of the console is a row of a table. To add a table, create a file `routes/SUBJECT.ts`
// that exports `readonly AnyRoute[]`, each made by `route({ … })`. Add its line to `routes.ts`. Its
// schemas are in `documents/`, its work is a function of `admin`. Other parts that it needs are in
// `console-parts.ts`, made in `compose/console.ts`.
// Before it calls `handle`, the dispatcher checks host, origin, size, login, right, query, body and
// the request's apps (`apps` of the row). A route returns only rows of the request's `apps`, and
// masks user ids with `maskUser`.

export interface Route<
  Path extends string = string,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** For example `/admin/v1/apps/:app`. */
  readonly path: Path;
  readonly action: Action;
  readonly apps: RouteApps;
  readonly summary: string;
  /** For a deprecated route. */
  readonly replacedBy?: string;
  readonly query?: Query;
  /** Without this the values are texts. */
  readonly readQuery?: (texts: Readonly<Record<string, string>>, nowMs: number) => object;
  /** Unknown fields are rejected; a change has `reason`. */
  readonly body?: Body;
  readonly files?: { readonly types: readonly string[]; readonly json: TSchema };
  /** Default: 64 kB. */
  readonly bodyBytesMax?: number;
  /** The JSON's schema; only describes a file or events. */
  readonly answer: TSchema;
  readonly answerType?: string;
  /** Another site sends the browser here, so origin checks do not apply. */
  readonly isTop?: boolean;
  /** Default: 200. */
  readonly status?: number;
  handle(context: RouteContext<Path, Static<Query>, Static<Body>>): Promise<Answer>;
}

export type AnyRoute = Route;

export interface RouteContext<Path extends string = string, Query = unknown, Body = unknown>
  extends ConsoleParts {
  /** Its actor is `console:NAME` or `token:ID`. Its reason is the body's. */
  readonly admin: AdminContext;
  readonly session: Session;
  /** Undefined for all apps. */
  readonly apps: readonly string[] | undefined;
  /** The login is still valid, with the same role and apps. */
  readonly hasSameAccess: () => Promise<boolean>;
  readonly parameters: Readonly<Record<NamesOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly ifMatch: string | undefined;
  readonly request: ConsoleRequest;
}

type NamesOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

export type Answer = {
  readonly status?: number;
  readonly cookies?: readonly string[];
} & (
  | { readonly body: object; readonly etag?: string }
  | { readonly csv: string | AsyncIterable<string>; readonly name: string }
  | { readonly events: AsyncIterable<string> }
  | { readonly html: string }
  | { readonly location: string }
);

export function route<
  const Path extends string,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(row: Route<Path, Query, Body>): AnyRoute {
  return row;
}
