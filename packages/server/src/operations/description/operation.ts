import type { TSchema, TUnsafe } from 'typebox';
import type { AuditEntry } from '../context/audited-change.ts';
import type { AdminContext } from '../context/context.ts';
import type { OperatingParts } from '../context/parts.ts';
import type { Action, OwnedKind, Session } from '../context/session.ts';
import type { Document } from '../documents/shapes.ts';
import { withDeprecated } from './deprecated.ts';
import { type Fields, type Input, line } from './field.ts';

export type Operating<P extends keyof OperatingParts = never> = {
  /** Without a store, only the clock works; any other use throws. */
  readonly admin: AdminContext;
  readonly session: Session;
  /** Undefined: all apps. */
  readonly apps: readonly string[] | undefined;
  /** The request's `If-Match`; undefined for a command. */
  readonly ifMatch?: string | undefined;
  readonly progress: (text: string) => void;
} & Pick<OperatingParts, P>;

/** A path below `/admin/v1`; a name such as `:app` is a field of the input. */
export type Address = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** `result` is set only where it is known in advance. */
export interface Plan<Result> {
  readonly changes: readonly AuditEntry[];
  readonly result: Result | null;
}

/**
 * The command, its help and completion, the routes, their OpenAPI and the input checks come from
 * this description.
 */
export interface Operation<
  F = Fields,
  R extends TSchema = TSchema,
  P extends keyof OperatingParts = keyof OperatingParts,
> {
  /** A noun and a verb, or one word. */
  readonly name: string;
  readonly about: string;
  readonly right: Action;
  /** `change` accepts a reason and a dry run. */
  readonly kind: 'read' | 'change';
  /** Empty for a command without a route. */
  readonly http: readonly Address[];
  /** A path with `:app` concerns that app. */
  readonly apps:
    | 'none'
    | 'own'
    | 'all'
    | { readonly of: OwnedKind }
    | { readonly named: 'body' }
    | { readonly byKind: Readonly<Record<string, 'own' | 'all'>> };
  readonly opens: Opens;
  opensFor?(input: Input<F>): Opens;
  readonly needs: readonly P[];
  /** The command reads the settings of only the platform or webhook in this field. */
  readonly only?: keyof F & string;
  readonly input: F;
  /** Throws an InputError for valid values that conflict. */
  check?(input: NoInfer<Input<F>>): void;
  readonly upload?: Upload;
  readonly example: { readonly [Name in keyof F]?: string };
  /** Only where they differ from name and input; empty for an operation without a command. */
  readonly commands: readonly CommandForm<Document<R>, Input<F>>[];
  result(): Promise<R>;
  /** The result has renamed fields, and `--json` of its command has both names. */
  readonly hasFormerNames?: true;
  /** The route's result, if a command shows more. */
  readonly sends?: { schema(): Promise<TSchema>; of(result: Document<R>): unknown };
  /** The request that replaces its deprecated route. */
  readonly replacedBy?: string;
  /** 200 unless given. */
  readonly status?: number;
  /** True: the response is the result itself, without a change's audit lines. */
  readonly isBare?: boolean;
  /** The response is a CSV file: the result has `csv` and `name`. */
  readonly isFile?: boolean;
  /** A change requires this value as `If-Match`. */
  etag?(result: Document<R>): string;
  run(operating: Operating<P>, input: Input<F>): Promise<Document<R>>;
  /** Without it, a dry run rolls the change back in the store. */
  plan?(operating: Operating<P>, input: Input<F>): Promise<Plan<Document<R>>>;
  /** Set if the change needs confirmation; its plan must include the result. */
  readonly danger?: Danger<Input<F>, Document<R>, P>;
  /** Printed to standard error: read before the run, printed after it. */
  warnings?(
    operating: Operating<P>,
    input: Input<F>,
    isDryRun: boolean,
  ): Promise<readonly string[]>;
  /** The reason why the command exits with 1 after its result; undefined: 0. */
  failure?(result: Document<R>, operating: Operating<P>): string | undefined;
  lines?(result: Document<R>, input: Input<F>): readonly string[];
}

/** `apps`: the store with the file's apps; `file`: only the configuration. */
type Opens = 'apps' | 'store' | 'file' | 'nothing';

/** Requests send all files in JSON, or one file as the body. */
export interface Upload {
  readonly about: string;
  readonly types: readonly string[];
  readonly needs: readonly string[];
}

export interface CommandForm<Result, I> {
  readonly name?: string;
  readonly about?: string;
  /** `toInput` maps these fields' JSON values to the operation's fields. */
  readonly input?: Fields;
  readonly example?: Readonly<Record<string, string>>;
  toInput?(
    given: Readonly<Record<string, unknown>>,
    options: { readonly json?: boolean | undefined },
  ): Readonly<Record<string, unknown>>;
  /** False: the command needs no confirmation, though a request does. */
  readonly needsConfirmation?: boolean;
  /** Prints a file's lines unchanged, also with `--json`. */
  readonly isRaw?: boolean;
  document?(result: Result, admin: AdminContext, input: I): unknown;
  lines?(result: Result, input: I): readonly string[];
}

export interface Danger<I, Result, P extends keyof OperatingParts = keyof OperatingParts> {
  /** A request repeats it as `confirm`; undefined: not required. */
  subject(input: I, operating: Operating<P>): string | undefined | Promise<string | undefined>;
  /** Shown before the confirmation; without lines there is none. */
  intent(planned: Result, input: I, changes: Plan<Result>['changes']): readonly string[];
  /** A command without a terminal acts at once, with or without `--yes`. */
  actsWithoutTerminal?(input: I): boolean;
  /** Shows the lines even without a confirmation. */
  readonly isAlwaysShown?: boolean;
  /** A dry run's plan, where it differs from the result. */
  planned?(planned: Result, input: I): readonly string[];
}

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

export function operation<
  F extends object = Record<never, never>,
  R extends TSchema = TSchema,
  P extends keyof OperatingParts = never,
>(described: Described<Operation<F, R, P>>): Operation<F, R, P>;
export function operation(described: Described<Operation>): Operation {
  const { input = {}, commands = defaults.commands } = described;
  const forms = commands.map((form: Operation['commands'][number]) =>
    form.input === undefined ? form : { ...form, input: withDeprecated(form.input) },
  );
  return { ...defaults, ...described, input: withDeprecated(input), commands: forms };
}

/** For an operation without a route: nothing checks or describes the result. */
export function ofType<T>(): () => Promise<TUnsafe<T>> {
  return async () => (await import('typebox')).default.Unsafe<T>({});
}

export const reasonField = line(200, 'reason, recorded in the audit log');

export function fieldsOf({ input }: Operation, address: Address | ''): Fields {
  const isNamed = (name: string) => address.split('/').includes(`:${name}`);
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, { isCommandOnly }]) => !isNamed(name) && isCommandOnly !== true,
    ),
  );
}

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
