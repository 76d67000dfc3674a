import type { Static, TSchema } from 'typebox';
import { CallError } from '../../calls/call-error.ts';
import { compiled, compiledFits, explainMisfit } from '../../lib/compiled-fits.ts';
import { findBreach } from '../../lib/strict-json.ts';

/** Reads a JSON body, or throws INVALID with the path of what is wrong. */
export type ParseBody<Body, Found = undefined> = (text: string, found?: Found) => Body;

/**
 * A parser for one schema: the check is compiled once. `prepare` takes away what the schema need
 * not know; it may throw INVALID, and notes in `found` what its caller has to know.
 */
export function createParser<Schema extends TSchema, Found>(
  schema: Schema,
  prepare?: (body: unknown, found?: Found) => unknown,
): ParseBody<Static<Schema>, Found> {
  compiled(schema);
  return (text, found) => {
    const parsed = parseJson(text);
    const breach = findBreach(text);
    if (breach !== undefined) throw invalid(breach.path, breach.text);
    const value = prepare === undefined ? parsed : prepare(parsed, found);
    if (compiledFits(schema, value)) return value;
    const { path, text: predicate } = explainMisfit(schema, value);
    throw invalid(path, predicate);
  };
}

/** The error of a body that does not fit. */
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
