import { type Fields, fieldsOf, missingField, wrongType } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { ModelMessage, ToolCallText } from '../model/model-request.ts';
import { checkImageUrl } from './openai-body.ts';

interface Content {
  readonly texts: readonly string[];
  readonly imageCount: number;
  readonly fileCount?: number;
}

const noContent: Content = { texts: [], imageCount: 0 };

/** Tool calls and their results must match. */
export function decodeMessages(body: Fields): readonly ModelMessage[] {
  const list = body.list('messages');
  if (list === undefined) throw missingField('messages');
  if (list.length === 0) throw invalid("Invalid 'messages': expected at least 1 item.", 'messages');
  const awaited = new Set<string>();
  const messages = list.map((entry, index) => {
    const at = `messages[${index}]`;
    const message = fieldsOf(entry, at);
    const role = message.requiredText('role');
    if (role === 'tool') return decodeToolResult(message, awaited);
    if (awaited.size > 0) throw unanswered(at);
    return role === 'assistant'
      ? decodeAssistant(message, awaited)
      : decodeInputMessage(message, role);
  });
  if (awaited.size > 0) throw unanswered('messages');
  return messages;
}

function decodeInputMessage(message: Fields, role: string): ModelMessage {
  if (role !== 'user' && role !== 'system' && role !== 'developer') {
    const path = message.path('role');
    throw invalid(`Invalid value: '${role}' is not a role of a message.`, path);
  }
  const content = decodeContent(message, role === 'user');
  if (content === undefined) throw missingField(message.path('content'));
  return { role: role === 'user' ? 'user' : 'system', ...content, toolCalls: [] };
}

function decodeToolResult(message: Fields, awaited: Set<string>): ModelMessage {
  const id = message.requiredText('tool_call_id');
  if (!awaited.delete(id)) {
    throw invalid(
      "messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
      message.path('tool_call_id'),
    );
  }
  const content = decodeContent(message, false);
  if (content === undefined) throw missingField(message.path('content'));
  return { role: 'tool', ...content, toolCalls: [] };
}

function decodeAssistant(message: Fields, awaited: Set<string>): ModelMessage {
  const content = decodeContent(message, false);
  const toolCalls: ToolCallText[] = [];
  for (const [index, entry] of (message.list('tool_calls') ?? []).entries()) {
    const call = fieldsOf(entry, `${message.path('tool_calls')}[${index}]`);
    awaited.add(call.requiredText('id'));
    const called = call.fields('function');
    if (called === undefined) throw missingField(call.path('function'));
    const text = called.requiredText('arguments');
    toolCalls.push({ name: called.requiredText('name'), arguments: text });
  }
  if (content === undefined && toolCalls.length === 0) throw missingField(message.path('content'));
  const { texts, imageCount } = content ?? noContent;
  const reasoning = message.value('reasoning_content');
  const all = typeof reasoning === 'string' ? [reasoning, ...texts] : texts;
  return { role: 'assistant', texts: all, imageCount, toolCalls };
}

function decodeContent(message: Fields, mayHaveImages: boolean): Content | undefined {
  const content = message.value('content');
  if (content === undefined) return undefined;
  if (typeof content === 'string') return { texts: [content], imageCount: 0 };
  const path = message.path('content');
  if (!Array.isArray(content)) throw wrongType(path, 'a string or an array', content);
  const texts: string[] = [];
  let imageCount = 0;
  let fileCount = 0;
  for (const [index, entry] of content.entries()) {
    const part = fieldsOf(entry, `${path}[${index}]`);
    const type = part.requiredText('type');
    if (type === 'text') {
      texts.push(part.requiredText('text'));
    } else if (mayHaveImages && isElsewhere(type, part)) {
      fileCount++;
    } else if (type === 'image_url' && mayHaveImages) {
      checkImage(part);
      imageCount++;
    } else {
      throw invalid(`Invalid value: '${type}' is not a part of this message.`, part.path('type'));
    }
  }
  return { texts, imageCount, fileCount };
}

/** Input that the request only references, or that the platform renders. */
function isElsewhere(type: string, part: Fields): boolean {
  const url = type === 'image_url' ? part.fields('image_url')?.text('url') : undefined;
  return type === 'file' || /^https?:/.test(url ?? '');
}

function checkImage(part: Fields): void {
  const image = part.fields('image_url');
  if (image === undefined) throw missingField(part.path('image_url'));
  checkImageUrl(image.requiredText('url'), image.path('url'));
}

function unanswered(path: string) {
  const start = "An assistant message with 'tool_calls' must be followed by tool messages";
  return invalid(`${start} responding to each 'tool_call_id'.`, path);
}
