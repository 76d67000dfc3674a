import type { JsonObject, JsonValue } from '@model-gateway/contract';
import { isRecord } from '../../lib/json-value.ts';
import type { Finish } from '../statements/finish-reasons.ts';
import type { ModelContent } from './content.ts';

/** The ids of one response's tool calls: platforms leave them out, or give several calls one. */
export class CallIds {
  readonly #turn: number;
  readonly #taken = new Set<string>();

  /** A call without an id gets one of its turn: the number of messages before the response. */
  constructor(turn: number) {
    this.#turn = turn;
  }

  /** The id of the next call, for which the platform gave this one. */
  next(given: unknown): string {
    const text = typeof given === 'number' ? String(given) : given;
    const isOwn = typeof text === 'string' && text !== '' && !this.#taken.has(text);
    let id = isOwn ? text : `call_${this.#turn}_${this.#taken.size}`;
    while (this.#taken.has(id)) id += '_';
    this.#taken.add(id);
    return id;
  }
}

/** The tool calls of one whole response, in its order. */
export class WrittenCalls {
  readonly #ids: CallIds;

  constructor(turn: number) {
    this.#ids = new CallIds(turn);
  }

  /** The next call, each of its parts as the platform wrote it. */
  next(id: unknown, name: unknown, input: unknown): ModelContent {
    const toolName = typeof name === 'string' ? name : '';
    const toolCallId = this.#ids.next(id);
    return { type: 'tool-call', toolCallId, toolName, input: inputTextOf(input) };
  }
}

/** A call's arguments as text: some platforms write their value, and some nothing for none. */
export function inputTextOf(input: unknown): string {
  if (typeof input === 'string') return input;
  const text = JSON.stringify(input) ?? '';
  return text === '{}' || text === 'null' ? '' : text;
}

/**
 * The arguments that are handed on: a tool takes an object, so where a model wrote nothing they are
 * an empty one. What was cut off at a limit stays as it is.
 */
export function writtenInput(input: string, finish: Finish): string {
  return input === '' && finish !== 'length' ? '{}' : input;
}

/**
 * The object that stands for arguments that are none, on a wire that accepts only objects. Source:
 * Anthropic, "Fine-grained tool streaming", on invalid JSON.
 */
export function objectInput(input: JsonValue, written?: string): JsonObject {
  if (isJsonObject(input)) return input;
  return { INVALID_JSON: written ?? JSON.stringify(input) };
}

/** Bytes around a text in it. */
export const notJsonBytes = '{"INVALID_JSON":""}'.length;

function isJsonObject(value: JsonValue): value is JsonObject {
  return isRecord(value);
}
