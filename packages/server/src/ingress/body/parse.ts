import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { CallError } from '../../calls/model/call-error.ts';
import { compiledFits } from '../../lib/compiled-fits.ts';
import { explain } from '../../lib/explain.ts';
import { findBreach } from '../../lib/strict-json.ts';

/** Throws INVALID with the path of the fault. */
export type ParseBody<Body, Found = undefined> = (text: string, found?: Found) => Body;

/**
 * Compiles once. `prepare` removes what the schema need not know; it may throw INVALID, and fills
 * `found`.
 */
export function createParser<Schema extends TSchema, Found>(
  schema: Schema,
  prepare?: (body: unknown, found?: Found) => unknown,
): ParseBody<Static<Schema>, Found> {
  const validator = Compile(schema);
  return (text, found) => {
    const parsed = parseJson(text);
    const breach = findBreach(text);
    if (breach !== undefined) throw invalid(breach.path, breach.text);
    const value = prepare === undefined ? parsed : prepare(parsed, found);
    if (validator.Check(value)) return value;
    const problem = explain(schema, value, { fits: compiledFits });
    throw invalid(problem?.path ?? '', problem?.text ?? 'does not fit the route');
  };
}

export function invalid(path: string, text: string): CallError {
  if (path === '') return new CallError('INVALID', `The body ${text}.`);
  return new CallError('INVALID', `${path} ${text}.`, { param: path });
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw invalid('', 'is empty; send a JSON object');
  try {
    return JSON.parse(text);
  } catch (error) {
    const where =
      error instanceof SyntaxError ? /position \d+/.exec(error.message)?.[0] : undefined;
    throw invalid('', `is not JSON${where === undefined ? '' : ` (at ${where})`}`);
  }
}
