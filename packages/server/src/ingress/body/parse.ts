import type { Static, TSchema } from 'typebox';
import { CallError } from '../../calls/model/call-error.ts';
import { compiled, compiledFits, explainMisfit } from '../../lib/compiled-fits.ts';
import { findBreach } from '../../lib/strict-json.ts';

/** Throws INVALID with the path of the fault. */
export type ParseBody<Body, Extracted = undefined> = (text: string, extracted?: Extracted) => Body;

/**
 * Compiles once. `prepare` removes fields that the schema does not cover. It may throw INVALID, and
 * fills `extracted`.
 */
export function createParser<Schema extends TSchema, Extracted>(
  schema: Schema,
  prepare?: (body: unknown, extracted?: Extracted) => unknown,
): ParseBody<Static<Schema>, Extracted> {
  compiled(schema);
  return (text, extracted) => {
    const parsed = parseJson(text);
    const breach = findBreach(text);
    if (breach !== undefined) throw invalid(breach.path, breach.text);
    const value = prepare === undefined ? parsed : prepare(parsed, extracted);
    if (compiledFits(schema, value)) return value;
    const { path, text: predicate } = explainMisfit(schema, value);
    throw invalid(path, predicate);
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
