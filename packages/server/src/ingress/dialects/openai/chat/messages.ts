import type { Carry, JsonValue, Part } from '@model-gateway/contract';
import { readAnswerJson } from '../../../../calls/model-operations/answer-json.ts';
import type { CompletionRequest } from '../../../../calls/model-operations/completion.ts';
import { carriedFieldsOf } from '../../../../domain/carry.ts';
import { hasLongNumber, longNumberProblem } from '../../../../lib/json-size.ts';
import { invalid } from '../../../body/parse.ts';
import type { CompletionBody } from './body.ts';
import { isRemote, type RemoteParts } from './remote-parts.ts';

type BodyMessage = CompletionBody['messages'][number];
type BodyOf<Role extends BodyMessage['role']> = Extract<BodyMessage, { role: Role }>;
type UserPart = Exclude<BodyOf<'user'>['content'], string>[number];
type Message = CompletionRequest['messages'][number];
type ToolCall = NonNullable<Extract<Message, { role: 'assistant' }>['toolCalls']>[number];
type BodyCall = NonNullable<BodyOf<'assistant'>['tool_calls']>[number];

/** Throws INVALID with the field. */
export function messagesOf(messages: CompletionBody['messages'], remote?: RemoteParts): Message[] {
  return messages.map((message, index) => messageOf(message, `messages[${index}]`, remote));
}

/** The raw arguments of all tool calls: JSON within JSON. */
export function innerTextsOf(messages: CompletionBody['messages']): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? (message.tool_calls ?? []).map((call) => call.function.arguments)
      : [],
  );
}

export function chatOnlyOf(messages: readonly Message[]): string[] {
  return messages.flatMap((message, index) =>
    message.role === 'tool' && message.name !== undefined ? [`messages[${index}].name`] : [],
  );
}

function messageOf(message: BodyMessage, path: string, remote?: RemoteParts): Message {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: textOf(message.content) };
    case 'user':
      return { role: 'user', content: userContent(message.content, `${path}.content`, remote) };
    case 'assistant':
      return assistantOf(message, path);
    case 'tool': {
      const { tool_call_id: toolCallId, content, name } = message;
      const result = { role: 'tool', toolCallId, content: textOf(content) } as const;
      return name === undefined ? result : { ...result, name };
    }
  }
}

function textOf(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

function userContent(
  content: string | readonly UserPart[],
  path: string,
  remote?: RemoteParts,
): string | Part[] {
  if (typeof content === 'string') return content;
  return content.map((part, index): Part => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const at = `${path}[${index}]`;
    const isPassed = part.type === 'file' || isRemote(part.image_url.url);
    if (isPassed && remote !== undefined) return remote.add(part, at);
    if (part.type === 'file') throw invalid(`${at}.type`, 'must be text or an image');
    return imageOf(part.image_url.url, `${at}.image_url.url`);
  });
}

const dataUrl = /^data:(image\/[a-z0-9.+-]{1,64});base64,([A-Za-z0-9+/]+={0,2})$/;

/** An image URL has unbounded cost, and makes other servers send requests for the caller. */
function imageOf(url: string, path: string): Part {
  const [, mediaType, data] = dataUrl.exec(url) ?? [];
  if (mediaType !== undefined && data !== undefined) return { type: 'image', mediaType, data };
  throw invalid(
    path,
    'must be a data: URL of an image in base64, such as data:image/png;base64,…; a remote image is not fetched',
  );
}

function assistantOf(message: BodyOf<'assistant'>, path: string): Message {
  const { content, refusal, tool_calls: calls } = message;
  const answerText = answerTextIn(content) ?? refusal;
  const carry = carryIn(message);
  if (calls === undefined) {
    if (answerText === undefined) throw invalid(path, 'has neither content nor tool_calls');
    return { role: 'assistant', content: answerText, ...carry };
  }
  const toolCalls = calls.map((call, index) => toolCallOf(call, `${path}.tool_calls[${index}]`));
  const text = answerText === undefined ? {} : { content: answerText };
  return { role: 'assistant', ...text, toolCalls, ...carry };
}

/** Output other than text and calls. Its model is unknown here. */
function carryIn(message: BodyOf<'assistant'>): { readonly carry?: Carry } {
  const own = carriedFieldsOf<JsonValue>(message);
  const calls = (message.tool_calls ?? []).map(
    ({ extra_content: extra = null }) => extra && { extra_content: extra },
  );
  const isEmpty = own === undefined && calls.every((fields) => fields === null);
  return isEmpty ? {} : { carry: { message: own ?? {}, calls } };
}

function answerTextIn(content: BodyOf<'assistant'>['content']): string | undefined {
  if (content === undefined || typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : part.refusal)).join('');
}

/** Nesting levels: body, messages, message, calls, call, function. */
const levelOfArguments = 6;

/** Arguments that are not JSON stay text. Some clients send empty text for none. */
function toolCallOf({ id, function: called }: BodyCall, path: string): ToolCall {
  const { name, arguments: text } = called;
  const json = readAnswerJson(text === '' ? '{}' : text, levelOfArguments);
  if (json !== undefined) return { id, name, input: json.value };
  if (hasLongNumber(text)) throw invalid(`${path}.function.arguments`, longNumberProblem);
  return { id, name, input: text, written: text };
}
