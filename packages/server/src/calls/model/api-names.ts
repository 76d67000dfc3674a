import type { CallFields } from '@model-gateway/contract';
import type { FieldMeaning } from '../../platforms/statements/fields.ts';
import type { OperationName } from './operation.ts';

/**
 * What an API format calls the routes and fields that sentences name: each dialect has one, and a
 * sentence has a route or a field from nowhere else.
 */
export interface ApiNames {
  /** The route that lists models, such as `GET /v1/models`. */
  readonly models: string;
  /** The route of embeddings; undefined where there is none. */
  readonly embeddings: string | undefined;
  /** The field that names the user who pays. */
  readonly user: string;
  /** What each field is called; of several, the first is the usual one. */
  readonly fields: Readonly<Partial<Record<FieldMeaning, readonly string[]>>>;
  /** Where a tool has its schema, below its place in the list. */
  readonly toolSchema: string;
  /** How a caller asks for the same answer without a stream. */
  readonly withoutStream: (operation: OperationName) => string;
}

/** A call as sentences speak of it. */
export interface NamedCall {
  readonly context: { readonly names: ApiNames };
  readonly operation: { readonly name: OperationName };
  readonly request: CallFields;
  readonly sent?: (() => Readonly<Record<string, unknown>>) | undefined;
}

/** The body as its caller wrote it, as far as fields of it are named. */
export function sentIn({ request, sent }: NamedCall): Readonly<Record<string, unknown>> {
  return sent === undefined ? { ...request } : sent();
}

/** What the caller's API format calls a field: the one that was sent, where there are several. */
export function nameIn(call: NamedCall, meaning: FieldMeaning): string {
  const names = call.context.names.fields[meaning] ?? [];
  const [usual = meaning, ...others] = names;
  if (others.length === 0) return usual;
  const body = sentIn(call);
  return names.find((name) => Object.hasOwn(body, name)) ?? usual;
}

/** The field of the most output; undefined for embeddings, which have none. */
export function maxTokensIn(call: NamedCall): string | undefined {
  return call.operation.name === 'embeddings' ? undefined : nameIn(call, 'maxTokens');
}
