import type { Static, TSchema } from 'typebox';
import { compiledFits, explainMisfit } from '../../lib/compiled-fits.ts';
import { hasNul, nulProblem } from '../../lib/nul.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';

/** Throws INVALID with the field. A schema is compiled at its first use. */
export function checkFits<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): asserts value is Static<Schema> {
  if (compiledFits(schema, value)) return;
  const { path, text } = explainMisfit(schema, value);
  if (path === '') throw new ConsoleError('INVALID', `The request ${text}.`);
  throw new ConsoleError('INVALID', `${path} ${text}.`, { field: path });
}

/** Each field must occur once. */
export function queryOf(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name)) {
      throw new ConsoleError('INVALID', `${name} was sent more than once; send it once.`, {
        field: name,
      });
    }
    if (hasNul(name) || hasNul(value)) {
      throw new ConsoleError('INVALID', `The query ${nulProblem}`, { field: name });
    }
    Object.defineProperty(fields, name, { value, enumerable: true });
  }
  return fields;
}
