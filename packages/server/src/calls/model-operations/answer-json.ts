import type { JsonValue } from '@model-gateway/contract';
import { bodyBounds, findExcess } from '../../lib/json-size.ts';
import { countValues, findUnwritable } from '../../lib/json-value.ts';

export interface AnswerJson {
  readonly value: JsonValue;
  readonly text: string;
  readonly values: number;
}

/**
 * Undefined also for JSON that could not be relayed. `level`: nesting around it when a caller sends
 * it back.
 */
export function readAnswerJson(text: string, level = 0): AnswerJson | undefined {
  if (findExcess(Buffer.from(text), bodyBounds) !== undefined) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    /* Not JSON: the parser's message would quote the model. */
    return undefined;
  }
  if (findUnwritable(value, level) !== undefined) return undefined;
  return { value, text, values: countValues(value) };
}
