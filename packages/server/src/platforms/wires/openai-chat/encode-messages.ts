import type { Part } from '@model-gateway/contract';
import { withoutBlankParts } from '../../model/blank-texts.ts';
import type { ModelMessage, VerbatimParts } from '../../model/model-request.ts';

export function findUnspeakable(messages: readonly ModelMessage[]): string | undefined {
  for (const message of messages) {
    if (message.role !== 'user' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      const isImage = part.type === 'text' || /^image\/[^*]/.test(part.mediaType);
      if (!isImage) return `a file of ${part.mediaType}`;
    }
  }
  return undefined;
}

export function encodeMessages(
  messages: readonly ModelMessage[],
  verbatim?: VerbatimParts,
): readonly object[] {
  return messages.map((message) => encodeMessage(message, verbatim));
}

function encodeMessage(message: ModelMessage, verbatim?: VerbatimParts): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: encodeUser(message.content, verbatim) };
    case 'assistant':
      return encodeAssistant(message);
    case 'tool': {
      const { toolCallId: tool_call_id, name, content } = message;
      return { role: 'tool', tool_call_id, ...(name === undefined ? {} : { name }), content };
    }
  }
}

/** Sends one text as text: older servers know no parts. Some reject a part without text. */
function encodeUser(content: string | readonly Part[], verbatim?: VerbatimParts) {
  if (typeof content === 'string') return content;
  const parts = withoutBlankParts(content);
  const [first] = parts;
  if (first === undefined) return '';
  const isText = parts.length === 1 && first.type === 'text' && verbatim?.has(first) !== true;
  return isText ? first.text : parts.map((part) => verbatim?.get(part) ?? encodePart(part));
}

function encodePart(part: Part) {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const url = `data:${part.mediaType};base64,${part.data}`;
  return { type: 'image_url', image_url: { url } };
}

function encodeAssistant({
  content = '',
  toolCalls = [],
  carried,
}: Extract<ModelMessage, { role: 'assistant' }>) {
  const own = carried?.message;
  if (toolCalls.length === 0) return { role: 'assistant', content, ...own };
  const calls = toolCalls.map(({ id, name, input, written = JSON.stringify(input) }, index) => {
    const called = { name, arguments: written };
    return { id, type: 'function', function: called, ...carried?.calls[index] };
  });
  return { role: 'assistant', content: content === '' ? null : content, ...own, tool_calls: calls };
}
