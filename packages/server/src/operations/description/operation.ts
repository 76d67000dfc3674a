import type { TSchema, TUnsafe } from 'typebox';
import type { AdminContext } from '../context/context.ts';
import type { NotedLine } from '../context/noted-change.ts';
import type { OperatingParts } from '../context/parts.ts';
import type { Action, OwnedKind, Who } from '../context/who.ts';
import type { Document } from '../documents/shapes.ts';
import { type Fields, type Input, line } from './field.ts';

/** What an operation gets: the context of its process, the caller, and the parts that it needs. */
export type Operating<P extends keyof OperatingParts = never> = {
  /** Of an operation that opens no store it has the clock; each other use of it throws. */
  readonly admin: AdminContext;
  readonly who: Who;
  /** The only apps that it concerns; undefined for all of them. */
  readonly apps: readonly string[] | undefined;
  /** The `If-Match` of the request; undefined without one, and for a command. */
  readonly ifMatch?: string | undefined;
  /** Reports what a long operation is at. */
  readonly progress: (text: string) => void;
} & Pick<OperatingParts, P>;

/** Method and path below `/admin/v1`; a name such as `:app` is a field of the input. */
export type Address = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** The operation's plan: its lines of the audit log, and its result where that is known before. */
export interface Plan<Result> {
  readonly changes: readonly NotedLine[];
  readonly result: Result | null;
}

/**
 * Something an operator does, described once. Its commands with help and completion, its routes
 * with their OpenAPI, and the checks of its input are made from this description.
 */
export interface Operation<
  F = Fields,
  R extends TSchema = TSchema,
  P extends keyof OperatingParts = keyof OperatingParts,
> {
  /** A noun and a verb, as the command has them; one word for a command without a verb. */
  readonly name: string;
  /** A sentence for people, which begins with a verb. */
  readonly about: string;
  readonly right: Action;
  /** `change` takes a reason and a dry run. */
  readonly kind: 'read' | 'change';
  /** None for a command without a route. */
  readonly http: readonly Address[];
  /** Which apps a request concerns; one whose path has `:app` concerns that app. */
  readonly apps:
    | 'none'
    | 'own'
    | 'all'
    | { readonly of: OwnedKind }
    | { readonly named: 'body' }
    | { readonly byKind: Readonly<Record<string, 'own' | 'all'>> };
  readonly opens: Opens;
  /** The same, where it depends on the input. */
  opensFor?(input: Input<F>): Opens;
  /** The parts that it needs. */
  readonly needs: readonly P[];
  /** The field that names the one platform or hook whose settings its command reads. */
  readonly only?: keyof F & string;
  readonly input: F;
  /** Throws an InputError where values that are right do not go together. */
  check?(input: NoInfer<Input<F>>): void;
  /** Of a change that reads files: its command has `--file`, and its part `files` has them. */
  readonly upload?: Upload;
  /** Arguments and options of an example, by their fields. */
  readonly example: { readonly [Name in keyof F]?: string };
  /** Its commands where they differ from its name and its input; none for a route alone. */
  readonly commands: readonly CommandForm<Document<R>, Input<F>>[];
  /** The schema of the result; the command does not load it. */
  result(): Promise<R>;
  /** What the route of a change sends of the result, where a command shows more of it. */
  readonly sends?: { schema(): Promise<TSchema>; of(result: Document<R>): unknown };
  /** The status of success: 200 unless given. */
  readonly status?: number;
  /** True where the response is the result itself; else that of a change has its audit lines. */
  readonly isBare?: boolean;
  /** True where the response is a file of CSV: the result has `csv` and `name`. */
  readonly isFile?: boolean;
  /** The `ETag` of the result; a change wants it back as `If-Match`. */
  etag?(result: Document<R>): string;
  run(operating: Operating<P>, input: Input<F>): Promise<Document<R>>;
  /** What `run` would do; without it a change is rehearsed on the store. */
  plan?(operating: Operating<P>, input: Input<F>): Promise<Plan<Document<R>>>;
  /** Of a change that asks first; it needs a plan whose result is known. */
  readonly danger?: Danger<Input<F>, Document<R>, P>;
  /** Lines on standard error, read before the operation runs and printed after it. */
  warnings?(
    operating: Operating<P>,
    input: Input<F>,
    isDryRun: boolean,
  ): Promise<readonly string[]>;
  /** Why a command whose result is printed ends with 1; undefined for 0. */
  failure?(result: Document<R>, operating: Operating<P>): string | undefined;
  /** The result for a terminal. */
  lines?(result: Document<R>, input: Input<F>): readonly string[];
}

/**
 * What a command opens: the store with the apps that the file declares, the store, only the file
 * of the configuration, or nothing.
 */
type Opens = 'apps' | 'store' | 'file' | 'nothing';

/** Files that a command names; a request sends all of them in JSON, or one as it is. */
export interface Upload {
  /** For the help of `--file`. */
  readonly about: string;
  /** The media types of one file as it is. */
  readonly types: readonly string[];
  /** Optional fields that its query must have. */
  readonly needs: readonly string[];
}

/** How a command differs from its operation. */
export interface CommandForm<Result, I> {
  readonly name?: string;
  readonly about?: string;
  /** Its arguments and options; `toInput` makes the operation's fields of their JSON values. */
  readonly input?: Fields;
  readonly example?: Readonly<Record<string, string>>;
  toInput?(
    given: Readonly<Record<string, unknown>>,
    options: { readonly json?: boolean | undefined },
  ): Readonly<Record<string, unknown>>;
  /** False where it does not ask, though a request has to confirm. */
  readonly asks?: boolean;
  /** True where its lines are printed as they are, with `--json` too: those of a file. */
  readonly isRaw?: boolean;
  /** The document that it prints, where it is not the result. */
  document?(result: Result, admin: AdminContext, input: I): unknown;
  lines?(result: Result, input: I): readonly string[];
}

/** How a dangerous change is confirmed. */
export interface Danger<I, Result, P extends keyof OperatingParts = keyof OperatingParts> {
  /** The name that a request repeats as `confirm`; undefined where it need not. */
  subject(input: I, operating: Operating<P>): string | undefined | Promise<string | undefined>;
  /** What the command shows before it asks; without a line it does not ask. */
  intent(planned: Result, input: I, changes: Plan<Result>['changes']): readonly string[];
  /** True where a command without a terminal acts at once, with or without `--yes`. */
  actsWithoutTerminal?(input: I): boolean;
  /** True where the command shows the lines also if it does not ask. */
  readonly isAlwaysShown?: boolean;
  /** The plan for a terminal, of a dry run, where it reads otherwise than the result. */
  planned?(planned: Result, input: I): readonly string[];
}

/** What a description may leave out: a command for operators, with every app, on the store. */
const defaults = {
  right: 'operate',
  kind: 'read',
  http: [],
  apps: 'all',
  opens: 'apps',
  needs: [],
  input: {},
  example: {},
  commands: [{}],
} as const;

type Described<O extends object> = Omit<O, keyof typeof defaults> & Partial<O>;

/** An operation whose `run`, `plan` and `lines` know their types. */
export function operation<
  F extends object = Record<never, never>,
  R extends TSchema = TSchema,
  P extends keyof OperatingParts = never,
>(described: Described<Operation<F, R, P>>): Operation<F, R, P>;
export function operation(described: Described<Operation>): Operation {
  return { ...defaults, ...described };
}

/** The result of an operation without a route: nothing checks it, and nothing describes it. */
export function ofType<T>(): () => Promise<TUnsafe<T>> {
  return async () => (await import('typebox')).default.Unsafe<T>({});
}

/** Why something is changed; the audit log keeps it. */
export const reasonField = line(200, 'why, for the audit log');

/** The fields that an address does not name, as they are sent in a body or a query. */
export function fieldsOf({ input }: Operation, address: Address | ''): Fields {
  const isNamed = (name: string) => address.split('/').includes(`:${name}`);
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, { isCommandOnly }]) => !isNamed(name) && isCommandOnly !== true,
    ),
  );
}

/** The schema of an object with these fields, and no other. */
export function inputSchema(fields: Fields, more: Readonly<Record<string, object>> = {}) {
  const entries = Object.entries(fields);
  const own = entries.map(([name, { schema }]) => [name, schema] as const);
  return {
    type: 'object',
    required: entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    properties: { ...Object.fromEntries(own), ...more },
    additionalProperties: false,
  } as const;
}
