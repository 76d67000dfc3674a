import type { JsonValue } from '@model-gateway/contract';
import { bodyBounds, findExcess } from '../../lib/json-size.ts';
import { countValues, findUnwritable } from '../../lib/json-value.ts';

/** JSON that a model wrote. */
export interface AnswerJson {
  readonly value: JsonValue;
  readonly text: string;
  /** The value and those within it. */
  readonly values: number;
}

/**
 * Reads what a model wrote as JSON; undefined when it is none, or none that could be handed on.
 * `level` counts the lists and objects that a caller puts around it to send it back.
 */
export function readAnswerJson(text: string, level = 0): AnswerJson | undefined {
  if (findExcess(Buffer.from(text), bodyBounds) !== undefined) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    /* Not JSON: its sentence would quote the model. */
    return undefined;
  }
  if (findUnwritable(value, level) !== undefined) return undefined;
  return { value, text, values: countValues(value) };
}
