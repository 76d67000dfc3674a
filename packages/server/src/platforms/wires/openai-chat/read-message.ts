import type { CarriedFields, CarryName } from '../../../domain/carry.ts';
import { fieldOf, isRecord } from '../../../lib/json-value.ts';
import { carriedOf } from '../../model/carry.ts';
import type { ModelContent } from '../../model/content.ts';
import type { ModelRequest } from '../../model/model-request.ts';
import { inputTextOf, WrittenCalls } from '../../model/written-calls.ts';
import { readFinish } from '../../statements/finish-reasons.ts';
import type { Answer, Decoded } from '../codec/surface-codec.ts';
import { ownFieldsOf } from './own-fields.ts';

/**
 * Undefined for another shape. Like a stream, uses the first choice and skips what it cannot read.
 * `turn` makes ids for calls without one.
 */
export function readMessage(
  { choices }: Answer,
  { messages: { length: turn } }: Pick<ModelRequest, 'messages'>,
): Decoded | undefined {
  if (!Array.isArray(choices)) return undefined;
  const choice: unknown = choices.find(isRecord);
  const reason = fieldOf(choice, 'finish_reason');
  const finishRaw = typeof reason === 'string' && reason !== '' ? reason : undefined;
  const message = messageOf(choice);
  if (message === undefined) {
    // A filter removed it all, unless the response gives another reason.
    const read = finishRaw === undefined ? 'content-filter' : readFinish(finishRaw);
    return { content: [], finish: read, finishRaw };
  }
  const content: ModelContent[] = [];
  let isRefusal = false;
  let own: CarriedFields | undefined;
  readContent(
    message,
    (type, text, name) => {
      isRefusal ||= type === 'refusal';
      if (text !== '') content.push({ type: type === 'refusal' ? 'text' : type, text });
      if (name !== undefined) own = { ...own, [name]: text };
    },
    (fields) => {
      own = { ...own, ...fields };
    },
  );
  const ofCalls = readCalls(message, new WrittenCalls(turn), content);
  const read = readFinish(finishRaw);
  // On this wire a refusal is a complete response.
  const finish = read === 'stop' && isRefusal ? 'content-filter' : read;
  if (own === undefined && ofCalls.length === 0) return { content, finish, finishRaw };
  const carried = carriedOf('openai-chat', own, ofCalls);
  return { content, finish, finishRaw, ...(carried && { carried }) };
}

/** Some servers use the name of a stream, or send only the text. */
export function messageOf(choice: unknown): Answer | undefined {
  const message = fieldOf(choice, 'message') ?? fieldOf(choice, 'delta');
  if (isRecord(message)) return message;
  return isText(message) ? { content: message } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readCalls(message: Answer, written: WrittenCalls, content: ModelContent[]) {
  const own: (CarriedFields | undefined)[] = [];
  for (const call of callsOf(message)) {
    const { id, name, input } = writtenIn(call);
    if (id === '' && name === '' && input === '') continue;
    content.push(written.next(id, name, input));
    own.push(ownFieldsOf(call));
  }
  return own;
}

export function callsOf({ tool_calls: calls, function_call: one }: Answer): readonly Answer[] {
  if (Array.isArray(calls) && calls.length > 0) return calls.filter(isRecord);
  if (isRecord(calls)) return [calls];
  return isRecord(one) ? [{ index: 'function_call', function: one }] : none;
}

export function writtenIn(call: Answer) {
  const { id, function: called } = call;
  const { name, arguments: input } = isRecord(called) ? called : call;
  return {
    id: typeof id === 'number' ? String(id) : textOf(id),
    name: textOf(name),
    input: inputTextOf(input),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const none: readonly Answer[] = [];

export type AddText = (type: TextType, text: string, name?: CarryName) => void;

export type TextType = 'text' | 'reasoning' | 'refusal';

/** Skips unknown shapes: a new kind of part must not spoil a response. */
export function readContent(
  message: Readonly<Record<string, unknown>>,
  addText: AddText,
  addFields: (fields: CarriedFields) => void,
): void {
  const { content, refusal, reasoning_content, reasoning, thinking } = message;
  const { reasoning_details: details, thinking_blocks: blocks, extra_content: extra } = message;
  const own = (details ?? blocks ?? extra ?? undefined) && ownFieldsOf(message);
  if (own !== undefined) addFields(own);
  // Its name differs between servers, and some send both.
  if (typeof reasoning_content === 'string')
    addText('reasoning', reasoning_content, 'reasoning_content');
  else if (typeof reasoning === 'string') addText('reasoning', reasoning, 'reasoning');
  else if (typeof thinking === 'string') addText('reasoning', thinking, 'thinking');
  if (typeof content === 'string') {
    if (content !== '') addText('text', content);
  } else if (Array.isArray(content)) {
    for (const part of content) readPart(part, addText);
  } else if (isRecord(content)) readPart(content, addText);
  // Some servers write `false` for none.
  if (typeof refusal === 'string' && refusal !== '') addText('refusal', refusal);
}

function readPart(part: unknown, addText: AddText) {
  // Some servers omit the type.
  const text =
    typeof part === 'string' ? part : textIn(isRecord(part) ? { type: 'text', ...part } : part);
  if (text !== '') addText('text', text);
  if (!isRecord(part)) return;
  const { type, refusal, thinking } = part;
  if (type === 'refusal' && typeof refusal === 'string' && refusal !== '')
    addText('refusal', refusal);
  if (type !== 'thinking' || !Array.isArray(thinking)) return;
  const thought = thinking.map(textIn).join('');
  if (thought !== '') addText('reasoning', thought);
}

function textIn(part: unknown): string {
  const [type, text] = [fieldOf(part, 'type'), fieldOf(part, 'text')];
  const isText = type === 'text' || type === 'output_text';
  return isText && typeof text === 'string' ? text : '';
}
