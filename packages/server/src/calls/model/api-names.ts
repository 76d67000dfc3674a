import type { CallFields } from '@model-gateway/contract';
import type { FieldMeaning } from '../../platforms/statements/fields.ts';
import type { OperationName } from './operation.ts';

/** One per API format. Error sentences use route and field names only from here. */
export interface ApiNames {
  readonly models: string;
  readonly embeddings: string | undefined;
  readonly user: string;
  /** The first is the usual name. */
  readonly fields: Readonly<Partial<Record<FieldMeaning, readonly string[]>>>;
  /** Relative to the tool's position in the list. */
  readonly toolSchema: string;
  readonly withoutStream: (operation: OperationName) => string;
}

export interface NamedCall {
  readonly context: { readonly names: ApiNames };
  readonly operation: { readonly name: OperationName };
  readonly request: CallFields;
  readonly sent?: (() => Readonly<Record<string, unknown>>) | undefined;
}

export function sentIn({ request, sent }: NamedCall): Readonly<Record<string, unknown>> {
  return sent === undefined ? { ...request } : sent();
}

/** Prefers the name that the caller sent, if there are several. */
export function nameIn(call: NamedCall, meaning: FieldMeaning): string {
  const names = call.context.names.fields[meaning] ?? [];
  const [usual = meaning, ...others] = names;
  if (others.length === 0) return usual;
  const body = sentIn(call);
  return names.find((name) => Object.hasOwn(body, name)) ?? usual;
}

export function maxTokensIn(call: NamedCall): string | undefined {
  return call.operation.name === 'embeddings' ? undefined : nameIn(call, 'maxTokens');
}
