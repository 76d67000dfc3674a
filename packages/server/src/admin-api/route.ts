import type { Static, TSchema } from 'typebox';
import type { AdminContext } from '../operations/context.ts';
import type { Action } from '../operations/roles.ts';
import type { Who } from '../operations/who.ts';
import type { ConsoleParts } from './console-parts.ts';
import type { ConsoleRequest } from './http.ts';
import type { RouteApps } from './route-apps.ts';

// A route of the console is a row of a table. To add a table: a file `routes/SUBJECT.ts` which
// exports `readonly AnyRoute[]`, each made by `route({ … })`, and its line in `routes.ts`. Its
// schemas are in `documents/`; what it does is a function of `admin`. What it needs beside those is
// a part in `console-parts.ts`, made in `compose/console.ts`. The dispatcher has looked at host,
// origin, size, who asks, right, query, body and the apps that the request concerns (`apps` of the
// row) before `handle` is called. A route returns only rows of `apps` of the request. It masks user
// ids by `maskUser`.

/** A route: what it takes, who may, what it answers. */
export interface Route<
  Path extends string = string,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Such as `/admin/v1/apps/:app`. */
  readonly path: Path;
  readonly action: Action;
  readonly apps: RouteApps;
  /** A sentence for the description. */
  readonly summary: string;
  readonly query?: Query;
  /** The JSON values that the texts of the query mean; else they are texts. */
  readonly readQuery?: (texts: Readonly<Record<string, string>>, nowMs: number) => object;
  /** Of an object without fields that it does not name; one of a change has `reason`. */
  readonly body?: Body;
  /** Of a route that reads its body itself, instead of `body`: JSON, or a file of these types. */
  readonly files?: { readonly types: readonly string[]; readonly json: TSchema };
  /** How many bytes of body it takes; 64 kB unless told. */
  readonly bodyBytesMax?: number;
  /** Of the answer's JSON; of a file or events a description of them. */
  readonly answer: TSchema;
  /** What it answers that is no JSON, such as `text/csv`. */
  readonly answerType?: string;
  /** True for what a browser is sent to from another site: it need not come from the console. */
  readonly isTop?: boolean;
  /** The status of success: 200 unless told. */
  readonly status?: number;
  handle(asked: Asked<Path, Static<Query>, Static<Body>>): Promise<Answer>;
}

/** Any row of a table. */
export type AnyRoute = Route;

/** A request that may be answered. */
export interface Asked<Path extends string = string, Query = unknown, Body = unknown>
  extends ConsoleParts {
  /** Its actor is `console:NAME` or `token:ID`, its reason that of the body. */
  readonly admin: AdminContext;
  readonly who: Who;
  /** The only apps that the request concerns; undefined for all of them. */
  readonly apps: readonly string[] | undefined;
  /** Whether the session or token is still valid, with the same role and apps. */
  readonly hasSameAccess: () => Promise<boolean>;
  /** What stands where the path has names, decoded. */
  readonly parameters: Readonly<Record<NamesOf<Path>, string>>;
  readonly query: Query;
  readonly body: Body;
  /** The header `if-match`; undefined without it. */
  readonly ifMatch: string | undefined;
  readonly request: ConsoleRequest;
}

type NamesOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** What a route answers: JSON, a file of CSV, server-sent events, a page, or another place. */
export type Answer = {
  /** Where it is not the route's. */
  readonly status?: number;
  /** Values of `set-cookie`. */
  readonly cookies?: readonly string[];
} & (
  | { readonly body: object; readonly etag?: string }
  | { readonly csv: string | AsyncIterable<string>; readonly name: string }
  | { readonly events: AsyncIterable<string> }
  | { readonly html: string }
  | { readonly location: string }
);

/** A row; its `handle` knows the names of the path, the query and the body. */
export function route<
  const Path extends string,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(row: Route<Path, Query, Body>): AnyRoute {
  return row;
}
