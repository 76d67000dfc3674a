import { fieldOf, isRecord } from '../../../lib/json-value.ts';
import { carriedOf, withPosition } from '../../model/carry.ts';
import type { ModelContent } from '../../model/content.ts';
import { WrittenCalls } from '../../model/written-calls.ts';
import { readFinish } from '../../statements/finish-reasons.ts';
import { returnable } from '../codec/reasoning-item.ts';
import type { Answer, Decoded } from '../codec/surface-codec.ts';

interface Draft {
  readonly content: ModelContent[];
  readonly reasoning: object[];
  readonly calls: WrittenCalls;
  isRefusal: boolean;
  isCall: boolean;
}

const unfinished = new Set<unknown>(['failed', 'cancelled', 'queued', 'in_progress']);

/**
 * Undefined for failures and other shapes. Skips other types and unreadable items. `turn` makes ids
 * for calls without one.
 */
export function readOutput(answer: Answer, isJson: boolean, turn: number): Decoded | undefined {
  const { error, status, output } = answer;
  if (error !== undefined && error !== null) return undefined;
  if (unfinished.has(status)) return undefined;
  const reason = reasonOf(answer);
  const items = typeof output === 'string' ? [output] : output;
  if (!Array.isArray(items) && reason === undefined) return undefined;
  const finishRaw = reason ?? (typeof status === 'string' ? status : undefined);
  const finish = readFinish(finishRaw ?? 'completed');
  const calls = new WrittenCalls(turn);
  const draft: Draft = { content: [], reasoning: [], calls, isRefusal: false, isCall: false };
  const list = Array.isArray(items) ? items : [];
  // An object is returned without its reasoning.
  for (const item of isJson ? finalOf(list) : list) readItem(item, draft, !isJson);
  const { content, reasoning, isCall, isRefusal } = draft;
  const fields = reasoning.length === 0 ? undefined : { reasoning_items: reasoning };
  const carried = carriedOf('openai-responses', fields);
  const read = { content, finishRaw, ...(carried && { carried }) };
  if (finish !== 'stop') return { ...read, finish };
  const whole = isRefusal ? 'content-filter' : 'stop';
  return { ...read, finish: isCall ? 'tool-calls' : whole };
}

function reasonOf({ incomplete_details: details, stop_reason: other }: Answer) {
  const reason = fieldOf(details, 'reason') ?? other;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

/** The last final message, if one is marked; the others only comment. */
function finalOf(output: readonly unknown[]): readonly unknown[] {
  const final = output.findLast((item) => fieldOf(item, 'phase') === 'final_answer');
  if (final === undefined) return output;
  return output.filter((item) => item === final || fieldOf(item, 'type') !== 'message');
}

function readItem(item: unknown, draft: Draft, isCarried: boolean) {
  if (!isRecord(item)) return readPart(item, draft);
  const { type = 'message', content, call_id: callId, id, name, arguments: input } = item;
  if (type === 'function_call') {
    draft.content.push(draft.calls.next(callId ?? id, name, input));
    draft.isCall = true;
  } else if (type === 'reasoning') {
    if (isCarried) readReasoning(item, draft);
  } else if (type === 'message') {
    const parts = Array.isArray(content) ? content : [content];
    for (const part of parts) readPart(part, draft);
  }
}

function readReasoning(item: Answer, draft: Draft) {
  const returnableItem = returnable(item);
  const thought = draft.content.filter(({ type }) => type === 'reasoning').length;
  const position = draft.content.length - thought + draft.reasoning.length;
  if (returnableItem !== undefined)
    draft.reasoning.push(withPosition(returnableItem, position, draft.reasoning.length));
  for (const list of [item.summary, item.content]) {
    for (const part of Array.isArray(list) ? list : []) {
      const text = fieldOf(part, 'text');
      if (typeof text === 'string' && text !== '') draft.content.push({ type: 'reasoning', text });
    }
  }
}

function readPart(part: unknown, draft: Draft) {
  const { type = 'output_text', text, refusal } = isRecord(part) ? part : { text: part };
  const isRefusal = type === 'refusal';
  const content = isRefusal ? refusal : text;
  if (!isRefusal && type !== 'output_text' && type !== 'text') return;
  if (typeof content !== 'string' || content === '') return;
  draft.content.push({ type: 'text', text: content });
  draft.isRefusal ||= isRefusal;
}
