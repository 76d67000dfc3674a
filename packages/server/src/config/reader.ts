import type { Field, Read } from './field.ts';

export type Schema = Readonly<Record<string, unknown>>;

/**
 * The schema accepts every value that the reader accepts. It accepts more where JSON Schema cannot
 * express a rule.
 */
export type Reader<T> = Read<T> & { readonly schema: Schema };

export function reader<T>(schema: Schema, read: Read<T>): Reader<T> {
  return Object.assign((field: Field) => read(field), { schema });
}

const variableReference = String.raw`\$\{[A-Za-z_]\w*\}`;

export function textSchema(pattern: string): Schema {
  return { type: 'string', pattern: `${pattern}|${variableReference}` };
}

/** Accepts the type, or the same value as text, quoted or not. */
export function valueSchema(type: string, pattern: string, bounds: Schema = {}): Schema {
  return { type: [type, 'string'], ...bounds, pattern: `${pattern}|${variableReference}` };
}

export function wordSchema(words: readonly string[]): Schema {
  return { anyOf: [{ enum: words }, { type: 'string', pattern: variableReference }] };
}

/** Only describes the key; its value depends on other places and is read later. */
export function described(schema: Schema) {
  return reader<never>(schema, () => undefined);
}
