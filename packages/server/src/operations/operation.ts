import type { TSchema } from 'typebox';
import type { Config } from '../domain/config.ts';
import type { OwnedKind } from './app-of.ts';
import type { AdminContext } from './context.ts';
import { type Fields, type Input, line } from './field.ts';
import type { NotedLine } from './noted-change.ts';
import type { Right } from './roles.ts';
import type { Document } from './shapes.ts';
import type { Who } from './who.ts';

/** A part of the configuration that an operation may need. */
export type OperatingPart = 'apps' | 'budgets' | 'notify' | 'platforms';

/** What an operation gets: the context of its process, and the caller. */
export interface Operating<P extends OperatingPart = never> {
  readonly admin: AdminContext;
  readonly who: Who;
  /** The only apps that it concerns; undefined for all of them. */
  readonly apps: readonly string[] | undefined;
  /** The parts that it needs. */
  readonly config: Pick<Config, P>;
}

/** Method and path below `/admin/v1`; a name such as `:app` is a field of the input. */
export type Address = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** The operation's plan: its lines of the audit log, and its result where that is known before. */
export interface Plan<Result> {
  readonly changes: readonly NotedLine[];
  readonly result: Result | null;
}

/**
 * Something an operator does, described once. Its command with help and completion, its routes with
 * their OpenAPI, and the checks of its input are made from this description.
 */
export interface Operation<
  F = Fields,
  R extends TSchema = TSchema,
  P extends OperatingPart = OperatingPart,
> {
  /** The command: a noun and a verb. */
  readonly name: `${string} ${string}`;
  /** A sentence for people, which begins with a verb. */
  readonly about: string;
  readonly right: Right;
  /** `change` takes a reason and a dry run. */
  readonly kind: 'read' | 'change';
  /** None for a command without a route. */
  readonly http: readonly Address[];
  /** Which apps a request concerns; one whose path has `:app` concerns that app. */
  readonly apps: 'none' | 'own' | 'all' | { readonly of: OwnedKind };
  /** True where apps of the file that no service has declared yet are wanted in the store. */
  readonly declaresApps?: boolean;
  /** The parts of the configuration that it needs. */
  readonly needs?: readonly P[];
  readonly input: F;
  /** Arguments and options of an example, by their fields. */
  readonly example: { readonly [Name in keyof F]?: string };
  /** The schema of the result; the command does not load it. */
  result(): Promise<R>;
  /** The status of success: 200 unless given. */
  readonly status?: number;
  /** True where the response is the result itself; else that of a change has its audit lines. */
  readonly isBare?: boolean;
  run(operating: Operating<P>, input: Input<F>): Promise<Document<R>>;
  /** What `run` would do; without it a change is rehearsed on the store. */
  plan?(operating: Operating<P>, input: Input<F>): Promise<Plan<Document<R>>>;
  /** Of a change that asks first; it needs a plan whose result is known. */
  readonly danger?: Danger<Input<F>, Document<R>>;
  /** Lines on standard error that come with the result. */
  warnings?(result: Document<R>, input: Input<F>): readonly string[];
  /** The result for a terminal. */
  lines(result: Document<R>, input: Input<F>): readonly string[];
}

/** How a dangerous change is confirmed. */
export interface Danger<I, Result> {
  /** The name that a request repeats as `confirm`. */
  subject(input: I): string;
  /** What the command shows before it asks. */
  intent(planned: Result): readonly string[];
}

/** An operation whose `run`, `plan` and `lines` know their types. */
export function operation<F, R extends TSchema, P extends OperatingPart = never>(
  described: Operation<F, R, P>,
): Operation<F, R, P> {
  return described;
}

/** The operations of a noun. */
export interface Noun {
  readonly name: string;
  readonly about: string;
  readonly operations: readonly Operation[];
}

/** Why something is changed; the audit log keeps it. */
export const reasonField = line(200, 'why, for the audit log');

/** The fields that an address does not name, as they are sent in a body or a query. */
export function fieldsOf({ input }: Operation, address: Address | ''): Fields {
  const isNamed = (name: string) => address.split('/').includes(`:${name}`);
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isNamed(name)));
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
