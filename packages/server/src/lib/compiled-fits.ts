import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { beyondSteps, explain } from './explain.ts';
import type { ValueProblem } from './json-value.ts';

const validators = new WeakMap<TSchema, { Check(value: unknown): boolean }>();

export function compiled(schema: TSchema): { Check(value: unknown): boolean } {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator;
}

/** Whether a value fits a schema, which is compiled on first use. */
export function compiledFits<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  return (validators.get(schema) ?? compiled(schema)).Check(value);
}

export function explainMisfit(schema: TSchema, value: unknown): ValueProblem {
  return explain(schema, value, { fits: compiledFits }) ?? beyondSteps;
}
