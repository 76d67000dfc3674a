import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { compiledFits } from '../../lib/compiled-fits.ts';
import { explain } from '../../lib/explain.ts';
import { hasNul, holdsNul } from '../../lib/nul.ts';
import { ConsoleError } from '../../operations/context/console-error.ts';

type Check = (value: unknown) => void;
const checks = new WeakMap<TSchema, Check>();

/** Throws INVALID with the field. A schema is compiled at its first use. */
export function checkFits<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): asserts value is Static<Schema> {
  let check = checks.get(schema);
  if (check === undefined) {
    check = checkOf(schema);
    checks.set(schema, check);
  }
  check(value);
}

function checkOf(schema: TSchema): Check {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return;
    const { path = '', text = 'does not fit the route' } =
      explain(schema, value, { fits: compiledFits }) ?? {};
    if (path === '') throw new ConsoleError('INVALID', `The request ${text}.`);
    throw new ConsoleError('INVALID', `${path} ${text}.`, { field: path });
  };
}

/** Each field once. */
export function queryOf(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name)) {
      throw new ConsoleError('INVALID', `${name} came more than once; send it once.`, {
        field: name,
      });
    }
    if (hasNul(name) || hasNul(value)) {
      throw new ConsoleError('INVALID', `The query ${holdsNul}`, { field: name });
    }
    Object.defineProperty(fields, name, { value, enumerable: true });
  }
  return fields;
}
