import { fieldOf, isRecord } from '../../../lib/json-value.ts';
import { carriedOf, withPosition } from '../../model/carry.ts';
import type { ModelContent } from '../../model/content.ts';
import { WrittenCalls } from '../../model/written-calls.ts';
import { readFinish } from '../../statements/finish-reasons.ts';
import type { Answer, Decoded } from '../codec/surface-codec.ts';

/** The library's name for the object tool. */
export const objectToolName = 'json';

/**
 * Undefined for another shape. Skips unknown and unreadable blocks: a new kind must not spoil a
 * response. With `isJson`, the object tool's input is the text. `turn` makes ids for calls without
 * one.
 */
export function readMessage(answer: Answer, isJson: boolean, turn: number): Decoded | undefined {
  const { content: answerContent, stop_reason: reason } = answer;
  const finishRaw = typeof reason === 'string' && reason !== '' ? reason : undefined;
  const given = typeof answerContent === 'string' ? [answerContent] : answerContent;
  if (!Array.isArray(given) && finishRaw === undefined) return undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  const finish = readFinish(finishRaw);
  const calls = new WrittenCalls(turn);
  const hasObject = isJson && list.some(isObjectCall);
  const content: ModelContent[] = [];
  const blocks: object[] = [];
  for (const block of list) {
    if (!isJson && isThinking(block)) {
      const thought = content.filter(({ type }) => type === 'reasoning').length;
      blocks.push(withPosition(block, content.length - thought + blocks.length, blocks.length));
    }
    const isObject = hasObject && isObjectCall(block);
    const part = isObject ? objectOf(block) : partOf(block, calls);
    // Text and thinking next to an object are not part of it.
    const isOutsideObject =
      part?.type === 'reasoning' ? isJson : hasObject && part?.type === 'text';
    if (part !== undefined && (isObject || !isOutsideObject)) content.push(part);
  }
  const isDone = hasObject && finish === 'tool-calls';
  const fields = blocks.length === 0 ? undefined : { thinking_blocks: blocks };
  const carried = carriedOf('anthropic-messages', fields);
  return { content, finish: isDone ? 'stop' : finish, finishRaw, ...(carried && { carried }) };
}

export function isThinking(block: unknown): block is Answer {
  const type = fieldOf(block, 'type');
  return type === 'thinking' || type === 'redacted_thinking';
}

function partOf(block: unknown, calls: WrittenCalls): ModelContent | undefined {
  if (typeof block === 'string') return textPart(block);
  const { type = 'text', text, thinking, id, name, input } = isRecord(block) ? block : nothing;
  if (type === 'text') return textPart(text);
  if (type === 'thinking' && typeof thinking === 'string' && thinking !== '')
    return { type: 'reasoning', text: thinking };
  // On this wire an input is any JSON value.
  return type === 'tool_use' ? calls.next(id, name, JSON.stringify(input)) : undefined;
}

function objectOf(block: unknown): ModelContent {
  return { type: 'text', text: JSON.stringify(fieldOf(block, 'input')) ?? '' };
}

function textPart(text: unknown): ModelContent | undefined {
  return typeof text === 'string' && text !== '' ? { type: 'text', text } : undefined;
}

function isObjectCall(block: unknown): boolean {
  return fieldOf(block, 'type') === 'tool_use' && fieldOf(block, 'name') === objectToolName;
}

const nothing: Answer = {};
