import { fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ModelRequest } from '../model-request.ts';
import type { ModelContent } from '../port.ts';
import { readFinish } from '../statements/finish-reasons.ts';
import type { Answer, Decoded } from '../surface-codec.ts';
import { inputTextOf, WrittenCalls } from '../written-calls.ts';

/**
 * What a chat completion says; undefined for one of another shape. One choice is asked for, and the
 * first is taken. Parts of it that cannot be read are passed over, as in a stream. By how many
 * messages came before, calls that have no id get one of their own in the conversation.
 */
export function readMessage(
  { choices }: Answer,
  { messages: { length: turn } }: Pick<ModelRequest, 'messages'>,
): Decoded | undefined {
  if (!Array.isArray(choices)) return undefined;
  const choice: unknown = choices.find(isRecord);
  const finish = fieldOf(choice, 'finish_reason');
  const finishRaw = typeof finish === 'string' && finish !== '' ? finish : undefined;
  const message = messageOf(choice);
  if (message === undefined) {
    // A filter took it all, where nothing else is said of it.
    const read = finishRaw === undefined ? 'content-filter' : readFinish(finishRaw);
    return { content: [], finish: read, finishRaw };
  }
  const content: ModelContent[] = [];
  let isRefusal = false;
  readContent(message, (type, text) => {
    isRefusal ||= type === 'refusal';
    content.push({ type: type === 'refusal' ? 'text' : type, text });
  });
  readCalls(message, new WrittenCalls(turn), content);
  const read = readFinish(finishRaw);
  // A refusal is a whole answer on this wire.
  return { content, finish: read === 'stop' && isRefusal ? 'content-filter' : read, finishRaw };
}

/** What a choice says; some servers name it as in a stream, or write its text alone. */
export function messageOf(choice: unknown): Answer | undefined {
  const message = fieldOf(choice, 'message') ?? fieldOf(choice, 'delta');
  if (isRecord(message)) return message;
  return isText(message) ? { content: message } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readCalls(message: Answer, written: WrittenCalls, content: ModelContent[]) {
  for (const call of callsOf(message)) {
    const { id, name, input } = writtenIn(call);
    if (id !== '' || name !== '' || input !== '') content.push(written.next(id, name, input));
  }
}

/** The calls of a message or a delta, or pieces of them; one alone is of a time before several. */
export function callsOf({ tool_calls: calls, function_call: one }: Answer): readonly Answer[] {
  if (Array.isArray(calls) && calls.length > 0) return calls.filter(isRecord);
  if (isRecord(calls)) return [calls];
  return isRecord(one) ? [{ index: 'function_call', function: one }] : none;
}

/** What is written of a call in one of them: texts, which are empty for nothing. */
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

/** Hears what a message, or a piece of it, says. */
export type Say = (type: SaidType, text: string) => void;

/** A refusal is text that says so. */
export type SaidType = 'text' | 'reasoning' | 'refusal';

/**
 * Reads what a message or a delta says beside its calls. What has another shape is passed over: a
 * new kind of part must not spoil a response.
 */
export function readContent(said: Readonly<Record<string, unknown>>, say: Say): void {
  const { reasoning_content: one, reasoning: other, content, refusal } = said;
  // Servers differ in its name.
  const thought = typeof one === 'string' ? one : other;
  if (typeof thought === 'string' && thought !== '') say('reasoning', thought);
  if (typeof content === 'string') {
    if (content !== '') say('text', content);
  } else if (Array.isArray(content)) {
    for (const part of content) readPart(part, say);
  } else if (isRecord(content)) readPart(content, say);
  // Some servers write `false` for none.
  if (typeof refusal === 'string' && refusal !== '') say('refusal', refusal);
}

function readPart(part: unknown, say: Say) {
  // Some servers leave out the type.
  const text =
    typeof part === 'string' ? part : textIn(isRecord(part) ? { type: 'text', ...part } : part);
  if (text !== '') say('text', text);
  if (!isRecord(part)) return;
  const { type, refusal, thinking } = part;
  if (type === 'refusal' && typeof refusal === 'string' && refusal !== '') say('refusal', refusal);
  if (type !== 'thinking' || !Array.isArray(thinking)) return;
  const thought = thinking.map(textIn).join('');
  if (thought !== '') say('reasoning', thought);
}

/** The text of a part that is one. */
function textIn(part: unknown): string {
  const [type, text] = [fieldOf(part, 'type'), fieldOf(part, 'text')];
  const isText = type === 'text' || type === 'output_text';
  return isText && typeof text === 'string' ? text : '';
}
