import { type Fields, fieldsOf, missingField, wrongType } from '../lib/fields.ts';
import { invalid } from '../lib/platform-error.ts';
import type { ModelMessage, ToolCallText } from '../model/model-request.ts';

const imageTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

export function decodeSystem(body: Fields): readonly ModelMessage[] {
  const system = body.value('system');
  if (system === undefined) return [];
  if (typeof system === 'string') return [messageOf('system', [system])];
  if (!Array.isArray(system)) throw wrongType('system', 'a string or an array', system);
  return system.map((entry, index) => decodeSystemBlock(fieldsOf(entry, `system.${index}`)));
}

/** System blocks, before or within the conversation. */
function decodeSystemBlock(block: Fields): ModelMessage {
  if (block.requiredText('type') !== 'text') throw unknownBlock(block);
  return messageOf('system', [textOf(block)]);
}

/**
 * Only the next message may contain a tool use's result. With `hasSystem`, `system` messages are
 * valid.
 */
export function decodeConversation(body: Fields, hasSystem: boolean): readonly ModelMessage[] {
  const list = body.list('messages');
  if (list === undefined) throw missingField('messages');
  if (list.length === 0) throw invalid('messages: at least one message is required', 'messages');
  let awaited = new Set<string>();
  const messages = list.flatMap((entry, index): readonly ModelMessage[] => {
    const message = fieldsOf(entry, `messages.${index}`);
    const role = message.requiredText('role');
    const blocks = blocksOf(message, index === list.length - 1 && role === 'assistant');
    if (role === 'assistant') {
      checkAnswered(awaited, message);
      const called = new Set<string>();
      const read = [decodeAssistant(blocks, called)];
      awaited = called;
      return read;
    }
    if (role !== 'user' && !(role === 'system' && hasSystem)) {
      throw invalid(`${message.path('role')}: '${role}' is not a role`);
    }
    const read = role === 'system' ? blocks.map(decodeSystemBlock) : decodeUser(blocks, awaited);
    checkAnswered(awaited, message);
    return read;
  });
  if (awaited.size > 0) throw unanswered('messages', awaited);
  return messages;
}

/** A text is one block. */
function blocksOf(message: Fields, mayBeEmpty: boolean): readonly Fields[] {
  const content = message.value('content');
  const path = message.path('content');
  if (content === undefined) throw missingField(path);
  if (typeof content === 'string') {
    if (content !== '') return [fieldsOf({ type: 'text', text: content }, path)];
  } else if (!Array.isArray(content)) {
    throw wrongType(path, 'a string or an array', content);
  } else if (content.length > 0) {
    return content.map((entry, index) => fieldsOf(entry, `${path}.${index}`));
  }
  if (mayBeEmpty) return [];
  throw invalid(`${path}: all messages must have non-empty content`, path);
}

function decodeAssistant(blocks: readonly Fields[], called: Set<string>): ModelMessage {
  const texts: string[] = [];
  const toolCalls: ToolCallText[] = [];
  for (const block of blocks) {
    const type = block.requiredText('type');
    if (type === 'text') {
      texts.push(textOf(block));
    } else if (type === 'tool_use') {
      const id = block.requiredText('id');
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) {
        const path = block.path('id');
        throw invalid(`${path}: String should match pattern '^[a-zA-Z0-9_-]+$'`, path);
      }
      if (called.has(id))
        throw invalid('messages: `tool_use` ids must be unique', block.path('id'));
      called.add(id);
      if (block.fields('input') === undefined) throw missingField(block.path('input'));
      const input = JSON.stringify(block.value('input'));
      toolCalls.push({ name: block.requiredText('name'), arguments: input });
    } else if (type === 'server_tool_use' || type === 'web_search_tool_result') {
      texts.push(block.json());
    } else if (type !== 'thinking' && type !== 'redacted_thinking') {
      throw unknownBlock(block);
    }
  }
  return { role: 'assistant', texts, imageCount: 0, toolCalls };
}

/** Results become separate messages, as on other surfaces; the rest follows. */
function decodeUser(blocks: readonly Fields[], awaited: Set<string>): readonly ModelMessage[] {
  const results: ModelMessage[] = [];
  const userBlocks: Fields[] = [];
  for (const block of blocks) {
    if (block.requiredText('type') === 'tool_result') results.push(decodeResult(block, awaited));
    else userBlocks.push(block);
  }
  return userBlocks.length === 0 ? results : [...results, decodeParts('user', userBlocks)];
}

function decodeResult(block: Fields, awaited: Set<string>): ModelMessage {
  const id = block.requiredText('tool_use_id');
  if (!awaited.delete(id)) {
    const message = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}`;
    throw invalid(message, block.path('tool_use_id'));
  }
  block.boolean('is_error');
  const content = block.value('content');
  if (content === undefined) return messageOf('tool', []);
  if (typeof content === 'string') return messageOf('tool', [content]);
  const path = block.path('content');
  if (!Array.isArray(content)) throw wrongType(path, 'a string or an array', content);
  return decodeParts(
    'tool',
    content.map((entry, index) => fieldsOf(entry, `${path}.${index}`)),
  );
}

function decodeParts(role: 'user' | 'tool', blocks: readonly Fields[]): ModelMessage {
  const texts: string[] = [];
  let imageCount = 0;
  let fileCount = 0;
  for (const block of blocks) {
    const type = block.requiredText('type');
    if (type === 'text') {
      texts.push(textOf(block));
    } else if (type === 'document' || isElsewhere(block)) {
      fileCount++;
    } else if (type === 'image') {
      checkImage(block);
      imageCount++;
    } else {
      throw unknownBlock(block);
    }
  }
  return { role, texts, imageCount, fileCount, toolCalls: [] };
}

/** The request references the image without containing it. */
function isElsewhere(block: Fields): boolean {
  const source = block.fields('source')?.text('type');
  return source === 'url' || source === 'file';
}

function textOf(block: Fields): string {
  const text = block.requiredText('text');
  if (text.trim() !== '') return text;
  throw invalid(`${block.path('text')}: text content blocks must be non-empty`, block.path('text'));
}

function checkImage(block: Fields): void {
  const source = block.fields('source');
  if (source === undefined) throw missingField(block.path('source'));
  if (source.requiredText('type') !== 'base64') throw unknownBlock(source);
  if (!imageTypes.includes(source.requiredText('media_type'))) {
    const path = source.path('media_type');
    throw invalid(`${path}: Input should be one of ${imageTypes.join(', ')}`, path);
  }
  if (source.requiredText('data') === '') throw invalid(`${source.path('data')}: is empty`);
}

function messageOf(role: 'system' | 'tool', texts: readonly string[]): ModelMessage {
  return { role, texts, imageCount: 0, toolCalls: [] };
}

function checkAnswered(awaited: ReadonlySet<string>, message: Fields): void {
  if (awaited.size > 0) throw unanswered(message.path('content'), awaited);
}

function unanswered(path: string, awaited: ReadonlySet<string>) {
  const start = '`tool_use` ids were found without `tool_result` blocks immediately after';
  return invalid(`${path}: ${start}: ${[...awaited].join(', ')}`, path);
}

function unknownBlock(block: Fields) {
  const path = block.path('type');
  return invalid(`${path}: '${block.requiredText('type')}' is not expected here`, path);
}
