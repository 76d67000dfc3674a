import type { Field, Read } from './field.ts';

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * Reads a field, and says as JSON Schema what it takes. The schema takes whatever the reader takes,
 * and more where JSON Schema has no word for a rule.
 */
export type Reader<T> = Read<T> & { readonly schema: Schema };

/** A reader of what `schema` describes. */
export function reader<T>(schema: Schema, read: Read<T>): Reader<T> {
  return Object.assign((field: Field) => read(field), { schema });
}

/** A variable of the environment, which may stand in every value. */
const variable = String.raw`\$\{[A-Za-z_]\w*\}`;

/** Text that fits a pattern, or has a variable in it. */
export function textSchema(pattern: string): Schema {
  return { type: 'string', pattern: `${pattern}|${variable}` };
}

/** A value of another type, or the same as text: quoted or not, it is read as it is written. */
export function valueSchema(type: string, pattern: string, bounds: Schema = {}): Schema {
  return { type: [type, 'string'], ...bounds, pattern: `${pattern}|${variable}` };
}

/** One of a few words. */
export function wordSchema(words: readonly string[]): Schema {
  return { anyOf: [{ enum: words }, { type: 'string', pattern: variable }] };
}

/** What depends on other places of the file is described here, and read where they are known. */
export function described(schema: Schema) {
  return reader<never>(schema, () => undefined);
}
