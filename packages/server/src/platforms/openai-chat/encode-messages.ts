import {
  type LanguageModelV4Message,
  type LanguageModelV4Prompt,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';

/** A conversation in the words of chat completions. */
export function encodeMessages(prompt: LanguageModelV4Prompt): readonly object[] {
  const messages: object[] = [];
  for (const message of prompt) {
    // Results of tools are a message each on this wire.
    if (message.role === 'tool') messages.push(...message.content.map(encodeResult));
    else messages.push(encodeMessage(message));
  }
  return messages;
}

type MessageOf<Role> = Extract<LanguageModelV4Message, { role: Role }>;

function encodeMessage(message: Exclude<LanguageModelV4Message, { role: 'tool' }>): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: encodeUser(message.content) };
    case 'assistant':
      return encodeAssistant(message);
  }
}

type UserPart = MessageOf<'user'>['content'][number];

/** One text is text: older servers know nothing of parts. */
function encodeUser(content: readonly UserPart[]) {
  const [first] = content;
  return content.length === 1 && first?.type === 'text' ? first.text : content.map(encodePart);
}

function encodePart(part: UserPart) {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, data } = part;
  if (data.type !== 'data' || !/^image\/[^*]/.test(mediaType)) {
    throw unsupported(`a file of ${mediaType} by ${data.type}`);
  }
  const isText = typeof data.data === 'string';
  const base64 = isText ? data.data : Buffer.from(data.data).toString('base64');
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
}

function encodeAssistant({ content }: MessageOf<'assistant'>) {
  let text = '';
  const calls = [];
  for (const part of content) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'tool-call') {
      const { toolCallId: id, toolName: name, input } = part;
      calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
    } else throw unsupported(`${part.type} of an assistant`);
  }
  if (calls.length === 0) return { role: 'assistant', content: text };
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls };
}

function encodeResult(part: MessageOf<'tool'>['content'][number]) {
  if (part.type !== 'tool-result' || part.output.type !== 'text') {
    throw unsupported('a result of a tool that is no text');
  }
  return { role: 'tool', tool_call_id: part.toolCallId, content: part.output.value };
}

function unsupported(functionality: string) {
  return new UnsupportedFunctionalityError({ functionality });
}
