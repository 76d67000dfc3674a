import type { Static, TSchema } from 'typebox';
import type { AdminContext } from '../../operations/context/context.ts';
import type { Action, Session } from '../../operations/context/session.ts';
import type { ConsoleRequest } from '../http/http.ts';
import type { ConsoleParts } from './console-parts.ts';
import type { RouteApps } from './route-apps.ts';

// A route of the console is a row of a table. To add a table: a file `routes/SUBJECT.ts` which
// exports `readonly AnyRoute[]`, each made by `route({ … })`, and its line in `routes.ts`. Its
// schemas are in `documents/`; what it does is a function of `admin`. What it needs beside those is
// a part in `console-parts.ts`, made in `compose/console.ts`. The dispatcher has looked at host,
// origin, size, who asks, right, query, body and the apps that the request concerns (`apps` of the
// row) before `handle` is called. A route returns only rows of `apps` of the request. It masks user
// ids by `maskUser`.

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
  readonly summary: string;
  /** For a deprecated route. */
  readonly replacedBy?: string;
  readonly query?: Query;
  /** Without it the values are texts. */
  readonly readQuery?: (texts: Readonly<Record<string, string>>, nowMs: number) => object;
  /** Unknown fields are refused; a change has `reason`. */
  readonly body?: Body;
  readonly files?: { readonly types: readonly string[]; readonly json: TSchema };
  /** 64 kB unless set. */
  readonly bodyBytesMax?: number;
  /** The JSON's schema; describes a file or events. */
  readonly answer: TSchema;
  readonly answerType?: string;
  /** Set where another site sends the browser here, so origin checks do not apply. */
  readonly isTop?: boolean;
  /** 200 unless set. */
  readonly status?: number;
  handle(context: RouteContext<Path, Static<Query>, Static<Body>>): Promise<Answer>;
}

export type AnyRoute = Route;

export interface RouteContext<Path extends string = string, Query = unknown, Body = unknown>
  extends ConsoleParts {
  /** Its actor is `console:NAME` or `token:ID`, its reason that of the body. */
  readonly admin: AdminContext;
  readonly session: Session;
  /** Undefined for all of them. */
  readonly apps: readonly string[] | undefined;
  /** Still valid, with the same role and apps. */
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
