import type { ToolCall } from '@model-gateway/contract';
import { isRecord } from '../failure.ts';
import type { SseEvent } from './sse.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An event as the gateway sends it. */
export type WireEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly requestId: string | null;
    }
  | { readonly type: 'text' | 'json'; readonly text: string }
  | ({ readonly type: 'toolCall' } & ToolCall)
  | { readonly type: 'finish'; readonly body: Fields }
  | { readonly type: 'error'; readonly body: Fields };

/**
 * Reads one event; `undefined` for one of a kind that is not known yet.
 * @throws Error for one that is not what its name says.
 */
export function readWireEvent({ name, data }: SseEvent): WireEvent | undefined {
  if (!kinds.has(name)) return undefined;
  const value: unknown = JSON.parse(data);
  if (!isRecord(value)) throw odd(name);
  switch (name) {
    case 'start':
      return { type: name, ...startOf(value) };
    case 'text':
    case 'json':
      return { type: name, text: textOf(name, value.text) };
    case 'toolCall':
      return { type: name, ...toolCallOf(value) };
    case 'finish':
    case 'error':
      return { type: name, body: value };
    default:
      return undefined;
  }
}

const kinds: ReadonlySet<string> = new Set([
  ...['start', 'text', 'json', 'toolCall', 'finish', 'error'],
]);

function startOf({ id, model, requestId }: Fields) {
  const read = typeof requestId === 'string' ? requestId : null;
  return { id: textOf('start', id), model: textOf('start', model), requestId: read };
}

function toolCallOf({ id, name, input }: Fields): ToolCall {
  if (!isJson(input)) throw odd('toolCall');
  return { id: textOf('toolCall', id), name: textOf('toolCall', name), input };
}

function textOf(event: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw odd(event);
}

/** It was read from JSON, so it is absent or a value of JSON. */
function isJson(value: unknown): value is ToolCall['input'] {
  return value !== undefined;
}

/** Never what it says: a model may have written it. */
function odd(event: string): Error {
  return new Error(`the event ${event} is not what it should be`);
}
