import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

const validators = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

/** Whether a value fits a schema, which is compiled when it is first asked for. */
export function compiledFits(schema: TSchema, value: unknown): boolean {
  const known = validators.get(schema);
  if (known !== undefined) return known.Check(value);
  validators.set(schema, Compile(schema));
  return compiledFits(schema, value);
}
