import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ModelContent } from '../port.ts';
import { readFinish } from '../statements/finish-reasons.ts';
import type { Answer, Decoded } from '../surface-codec.ts';
import { WrittenCalls } from '../written-calls.ts';

/** What an answer says so far. */
interface Draft {
  readonly content: ModelContent[];
  readonly calls: WrittenCalls;
  isRefusal: boolean;
  isCall: boolean;
}

/** Responses that are no answer: one failed, or is not whole yet. */
const unfinished = new Set<unknown>(['failed', 'cancelled', 'queued', 'in_progress']);

/**
 * What a response says; undefined for one that failed, or of another shape. Items of other types,
 * reasoning among them, are for other readers, and what cannot be read is passed over. By how many
 * messages came before, calls that have no id get one of their own in the conversation.
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
  const draft: Draft = { content: [], calls, isRefusal: false, isCall: false };
  const list = Array.isArray(items) ? items : [];
  for (const item of isJson ? finalOf(list) : list) readItem(item, draft);
  const { content, isCall, isRefusal } = draft;
  if (finish !== 'stop') return { content, finish, finishRaw };
  const whole = isRefusal ? 'content-filter' : 'stop';
  return { content, finish: isCall ? 'tool-calls' : whole, finishRaw };
}

/** Why it is not whole. Some platforms say so where other wires do. */
function reasonOf({ incomplete_details: details, stop_reason: other }: Answer) {
  const reason = fieldOf(details, 'reason') ?? other;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

/** Of an object's messages the last final one, where they say which are: others comment on it. */
function finalOf(output: readonly unknown[]): readonly unknown[] {
  const final = output.findLast((item) => fieldOf(item, 'phase') === 'final_answer');
  if (final === undefined) return output;
  return output.filter((item) => item === final || fieldOf(item, 'type') !== 'message');
}

function readItem(item: unknown, draft: Draft) {
  if (!isRecord(item)) return readPart(item, draft);
  const { type = 'message', content, call_id: callId, id, name, arguments: input } = item;
  if (type === 'function_call') {
    draft.content.push(draft.calls.next(callId ?? id, name, input));
    draft.isCall = true;
  } else if (type === 'message') {
    const parts = Array.isArray(content) ? content : [content];
    for (const part of parts) readPart(part, draft);
  }
}

function readPart(part: unknown, draft: Draft) {
  const { type = 'output_text', text, refusal } = isRecord(part) ? part : { text: part };
  const isRefusal = type === 'refusal';
  const said = isRefusal ? refusal : text;
  if (!isRefusal && type !== 'output_text' && type !== 'text') return;
  if (typeof said !== 'string' || said === '') return;
  draft.content.push({ type: 'text', text: said });
  draft.isRefusal ||= isRefusal;
}
