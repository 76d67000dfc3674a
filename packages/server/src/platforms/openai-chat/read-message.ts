import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ModelRequest } from '../model-request.ts';
import type { Finish, ModelContent } from '../port.ts';
import type { Answer, Decoded } from '../surface.ts';
import { callIdOf } from './tool-calls.ts';

/** What a choice says so far. */
type Draft = ModelContent[];

/**
 * What a chat completion says; undefined for one of another shape. One choice is asked for, and the
 * first is taken; a broken one beside it makes all of them doubtful. By how many messages came
 * before, calls that have no id get one of their own in the conversation.
 */
export function readMessage(
  { choices }: Answer,
  { messages: { length: turn } }: Pick<ModelRequest, 'messages'>,
): Decoded | undefined {
  if (!Array.isArray(choices)) return undefined;
  let first: Decoded | undefined;
  for (const choice of choices) {
    const message = readChoice(choice, turn);
    if (message === undefined) return undefined;
    first ??= message;
  }
  return first;
}

function readChoice(choice: unknown, turn: number): Decoded | undefined {
  if (!isRecord(choice)) return undefined;
  const { message, finish_reason: finish } = choice;
  if (!isRecord(message) || !isTextOrNone(finish)) return undefined;
  const { role, content, refusal, tool_calls: calls } = message;
  if (!isNone(role) && role !== 'assistant') return undefined;
  const draft: Draft = [];
  if (!readReasoning(message, draft) || !readContent(content, draft)) return undefined;
  // Some servers write `false` for none.
  const isRefusal = typeof refusal === 'string' && refusal !== '';
  if (isRefusal) draft.push({ type: 'text', text: refusal });
  if (!isNone(calls) && !readCalls(calls, turn, draft)) return undefined;
  const finishRaw = finish ?? undefined;
  return { content: draft, finish: finishOf(finishRaw, isRefusal), finishRaw };
}

function isNone(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isTextOrNone(value: unknown): value is string | null | undefined {
  return typeof value === 'string' || isNone(value);
}

/** False, as from the readers below, for what is not what its name says. */
function readReasoning({ reasoning_content: one, reasoning: other }: Answer, draft: Draft) {
  // Servers differ in its name.
  if (!isTextOrNone(one) || !isTextOrNone(other)) return false;
  const text = one ?? other ?? '';
  if (text !== '') draft.push({ type: 'reasoning', text });
  return true;
}

function readContent(content: unknown, draft: Draft): boolean {
  if (Array.isArray(content)) return content.every((part) => readPart(part, draft));
  if (!isTextOrNone(content)) return false;
  const text = content ?? '';
  if (text !== '') draft.push({ type: 'text', text });
  return true;
}

/** Parts of types that were not asked for are passed over: a new one must not spoil an answer. */
function readPart(part: unknown, draft: Draft): boolean {
  if (!isRecord(part) || typeof part.type !== 'string') return false;
  const { type, text, thinking } = part;
  if (type === 'text' && typeof text === 'string' && text !== '') draft.push({ type, text });
  if (type === 'thinking' && Array.isArray(thinking)) {
    const thought = thinking.map(textOf).join('');
    if (thought !== '') draft.push({ type: 'reasoning', text: thought });
  }
  return true;
}

function textOf(part: unknown): string {
  const text = fieldOf(part, 'text');
  return fieldOf(part, 'type') === 'text' && typeof text === 'string' ? text : '';
}

function readCalls(calls: unknown, turn: number, draft: Draft): boolean {
  if (!Array.isArray(calls)) return false;
  return calls.every((call, index) => {
    const id = fieldOf(call, 'id');
    const called = fieldOf(call, 'function');
    const [toolName, input] = [fieldOf(called, 'name'), fieldOf(called, 'arguments')];
    if (typeof toolName !== 'string' || typeof input !== 'string') return false;
    if (!isTextOrNone(id)) return false;
    draft.push({ type: 'tool-call', toolCallId: id || callIdOf(turn, index), toolName, input });
    return true;
  });
}

/** Source: OpenAI's API reference, "The chat completion object". */
function finishOf(raw: string | undefined, isRefusal: boolean): Finish {
  switch (raw) {
    case 'stop':
      // A refusal is a whole answer on this wire.
      return isRefusal ? 'content-filter' : 'stop';
    case 'length':
      return 'length';
    case 'content_filter':
      return 'content-filter';
    // The older word is of a time before several calls.
    case 'function_call':
    case 'tool_calls':
      return 'tool-calls';
    default:
      return 'other';
  }
}
