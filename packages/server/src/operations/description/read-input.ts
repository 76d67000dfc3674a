import { explain } from '../../lib/explain.ts';
import { FieldFault, type Fields } from './field.ts';
import { inputSchema } from './operation.ts';

/** A predicate about a field, such as `must be …; it is …`. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly field: string;
  constructor(field: string, predicate: string) {
    super(predicate);
    this.field = field;
  }
}

/** Throws an InputError. */
export function readInput(fields: Fields, given: Readonly<Record<string, unknown>>) {
  checkInput(fields, given);
  return decodeInput(fields, given);
}

/** Throws an InputError. */
export function checkInput(fields: Fields, given: Readonly<Record<string, unknown>>): void {
  const problem = explain(inputSchema(fields), given);
  if (problem !== undefined) throw new InputError(problem.path, problem.text);
}

/** The values must fit their schemas. Throws an InputError. */
export function decodeInput(fields: Fields, checked: Readonly<Record<string, unknown>>) {
  const current = replaceDeprecated(fields, checked);
  const entries = Object.entries(fields).filter(([, field]) => field.replacement === undefined);
  return Object.fromEntries(
    entries.map(([name, field]) => {
      try {
        return [name, field.decode(current[name])] as const;
      } catch (error) {
        if (error instanceof FieldFault) throw new InputError(name, error.message);
        throw error;
      }
    }),
  );
}

/** A deprecated flag with the value false has no effect. */
function replaceDeprecated(fields: Fields, checked: Readonly<Record<string, unknown>>) {
  const current = { ...checked };
  for (const [name, { replacement }] of Object.entries(fields)) {
    const given = checked[name];
    if (replacement === undefined || given === undefined || given === false) continue;
    const value = replacement.word ?? given;
    const other = checked[replacement.name];
    if (other !== undefined && other !== value)
      throw new InputError(
        name,
        `conflicts with ${replacement.instead}; remove the deprecated name`,
      );
    current[replacement.name] = value;
  }
  return current;
}
