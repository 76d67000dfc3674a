import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { Finish, ModelContent } from '../port.ts';
import type { Answer, Decoded } from '../surface.ts';

/** What an answer says so far. */
interface Draft {
  readonly content: ModelContent[];
  isRefusal: boolean;
  isCall: boolean;
}

/**
 * What a response says; undefined for one that failed, or of another shape. Items of other types,
 * reasoning among them, are for other readers and spoil nothing.
 */
export function readOutput(answer: Answer, isJson: boolean): Decoded | undefined {
  const { error, status = 'completed', output } = answer;
  if (error !== undefined && error !== null) return undefined;
  if (status !== 'completed' && status !== 'incomplete') return undefined;
  if (!Array.isArray(output)) return undefined;
  const draft: Draft = { content: [], isRefusal: false, isCall: false };
  for (const item of isJson ? finalOf(output) : output) {
    if (!isRecord(item) || !readItem(item, draft)) return undefined;
  }
  const reason = fieldOf(answer.incomplete_details, 'reason');
  const stopReason = typeof reason === 'string' ? reason : undefined;
  const finish = finishOf(stopReason, status, draft);
  return { content: draft.content, finish, finishRaw: stopReason ?? status };
}

/** Of an object's messages the last final one, where they say which are: others comment on it. */
function finalOf(output: readonly unknown[]): readonly unknown[] {
  const final = output.findLast((item) => fieldOf(item, 'phase') === 'final_answer');
  if (final === undefined) return output;
  return output.filter((item) => item === final || fieldOf(item, 'type') !== 'message');
}

/** False for an item that is not what its type says. */
function readItem(item: Answer, draft: Draft): boolean {
  switch (item.type) {
    case 'message':
      return Array.isArray(item.content) && item.content.every((part) => readPart(part, draft));
    case 'function_call': {
      const { call_id: toolCallId, name: toolName, arguments: input } = item;
      if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return false;
      if (typeof input !== 'string') return false;
      draft.content.push({ type: 'tool-call', toolCallId, toolName, input });
      draft.isCall = true;
      return true;
    }
    default:
      return typeof item.type === 'string';
  }
}

function readPart(part: unknown, draft: Draft): boolean {
  if (!isRecord(part)) return false;
  const isRefusal = part.type === 'refusal';
  if (!isRefusal && part.type !== 'output_text') return typeof part.type === 'string';
  const text = isRefusal ? part.refusal : part.text;
  if (typeof text !== 'string') return false;
  if (text !== '') draft.content.push({ type: 'text', text });
  draft.isRefusal ||= isRefusal;
  return true;
}

function finishOf(
  reason: string | undefined,
  status: 'completed' | 'incomplete',
  { isCall, isRefusal }: Draft,
): Finish {
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'content-filter';
  if (reason !== undefined || status === 'incomplete') return 'other';
  if (isCall) return 'tool-calls';
  return isRefusal ? 'content-filter' : 'stop';
}
