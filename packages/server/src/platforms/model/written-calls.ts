import type { JsonObject, JsonValue } from '@model-gateway/contract';
import { isRecord } from '../../lib/json-value.ts';
import type { Finish } from '../statements/finish-reasons.ts';
import type { ModelContent } from './content.ts';

export class CallIds {
  readonly #turn: number;
  readonly #taken = new Set<string>();

  /** `turn`: the number of messages before the response; it makes missing ids. */
  constructor(turn: number) {
    this.#turn = turn;
  }

  next(given: unknown): string {
    const text = typeof given === 'number' ? String(given) : given;
    const isOwn = typeof text === 'string' && text !== '' && !this.#taken.has(text);
    let id = isOwn ? text : `call_${this.#turn}_${this.#taken.size}`;
    while (this.#taken.has(id)) id += '_';
    this.#taken.add(id);
    return id;
  }
}

export class WrittenCalls {
  readonly #ids: CallIds;

  constructor(turn: number) {
    this.#ids = new CallIds(turn);
  }

  next(id: unknown, name: unknown, input: unknown): ModelContent {
    const toolName = typeof name === 'string' ? name : '';
    const toolCallId = this.#ids.next(id);
    return { type: 'tool-call', toolCallId, toolName, input: inputTextOf(input) };
  }
}

export function inputTextOf(input: unknown): string {
  if (typeof input === 'string') return input;
  const text = JSON.stringify(input) ?? '';
  return text === '{}' || text === 'null' ? '' : text;
}

/** A tool requires an object, so empty arguments become one. Arguments cut off at a limit stay. */
export function writtenInput(input: string, finish: Finish): string {
  return input === '' && finish !== 'length' ? '{}' : input;
}

/**
 * Wraps invalid arguments for a wire that only accepts objects. Source: Anthropic, "Fine-grained
 * tool streaming", on invalid JSON.
 */
export function objectInput(input: JsonValue, written?: string): JsonObject {
  if (isJsonObject(input)) return input;
  return { INVALID_JSON: written ?? JSON.stringify(input) };
}

export const notJsonBytes = '{"INVALID_JSON":""}'.length;

function isJsonObject(value: JsonValue): value is JsonObject {
  return isRecord(value);
}
