import { type Fields, fieldsOf, missingField, wrongType } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { ModelMessage } from '../model/model-request.ts';
import { checkImageUrl } from './openai-body.ts';

const partTypes = {
  system: ['input_text'],
  user: ['input_text', 'input_image', 'input_file'],
  assistant: ['output_text', 'refusal'],
  tool: ['input_text'],
} as const;

type Role = ModelMessage['role'];

/** Earlier turns, tools that run elsewhere, and a compacted conversation. */
const plainTextTypes =
  /^(compaction|compaction_trigger|web_search_call|(tool_search|shell|apply_patch)_(call|output|call_output))$/;

/** Function calls and their outputs must match. */
export function decodeInput(body: Fields): readonly ModelMessage[] {
  const instructions = body.text('instructions');
  const messages = instructions === undefined ? [] : [messageOf('system', [instructions])];
  const input = body.value('input');
  if (input === undefined) throw missingField('input');
  if (typeof input === 'string') return [...messages, messageOf('user', [input])];
  if (!Array.isArray(input)) throw wrongType('input', 'a string or an array', input);
  if (input.length === 0) throw invalid("Invalid 'input': expected at least 1 item.", 'input');
  const awaited = new Set<string>();
  for (const [index, entry] of input.entries()) {
    const message = decodeItem(fieldsOf(entry, `input[${index}]`), awaited);
    if (message !== undefined) messages.push(message);
  }
  for (const id of awaited) throw invalid(`No tool output found for function call ${id}.`, 'input');
  return messages;
}

/** Undefined for an item that no model reads. */
function decodeItem(item: Fields, awaited: Set<string>): ModelMessage | undefined {
  const type = item.text('type') ?? 'message';
  switch (type) {
    case 'message':
      return decodeMessage(item);
    case 'function_call':
      return decodeCall(item, awaited);
    case 'function_call_output':
      return decodeOutput(item, awaited);
    case 'reasoning':
      item.list('summary');
      return undefined;
    default:
      // The model reads them as raw text.
      if (plainTextTypes.test(type)) return messageOf('assistant', [item.json()]);
      throw invalid(`Invalid value: '${type}' is not a type of an item.`, item.path('type'));
  }
}

function decodeMessage(item: Fields): ModelMessage {
  const role = item.requiredText('role');
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer') {
    throw invalid(`Invalid value: '${role}' is not a role of a message.`, item.path('role'));
  }
  return decodeContent(item, 'content', role === 'developer' ? 'system' : role);
}

function decodeCall(item: Fields, awaited: Set<string>): ModelMessage {
  awaited.add(item.requiredText('call_id'));
  const call = { name: item.requiredText('name'), arguments: item.requiredText('arguments') };
  return { ...messageOf('assistant', []), toolCalls: [call] };
}

function decodeOutput(item: Fields, awaited: Set<string>): ModelMessage {
  const id = item.requiredText('call_id');
  if (!awaited.delete(id)) {
    const message = `No tool call found for function call output with call_id ${id}.`;
    throw invalid(message, 'input');
  }
  return decodeContent(item, 'output', 'tool');
}

function decodeContent(item: Fields, key: string, role: Role): ModelMessage {
  const content = item.value(key);
  const path = item.path(key);
  if (content === undefined) throw missingField(path);
  if (typeof content === 'string') return messageOf(role, [content]);
  if (!Array.isArray(content)) throw wrongType(path, 'a string or an array', content);
  const types: readonly string[] = partTypes[role];
  const texts: string[] = [];
  let imageCount = 0;
  let fileCount = 0;
  for (const [index, entry] of content.entries()) {
    const part = fieldsOf(entry, `${path}[${index}]`);
    const type = part.requiredText('type');
    if (!types.includes(type)) {
      throw invalid(`Invalid value: '${type}' is not a part of this item.`, part.path('type'));
    }
    if (type === 'input_file' || isElsewhere(part)) {
      fileCount++;
    } else if (type === 'input_image') {
      checkImageUrl(part.requiredText('image_url'), part.path('image_url'));
      imageCount++;
    } else {
      texts.push(part.requiredText(type === 'refusal' ? 'refusal' : 'text'));
    }
  }
  return { ...messageOf(role, texts, imageCount), fileCount };
}

/** The request references the image without containing it. */
function isElsewhere(part: Fields): boolean {
  return part.text('file_id') !== undefined || /^https?:/.test(part.text('image_url') ?? '');
}

function messageOf(role: Role, texts: readonly string[], imageCount = 0): ModelMessage {
  return { role, texts, imageCount, toolCalls: [] };
}
