import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { AssistantMessage, Message, Part } from '@model-gateway/contract';

/** The conversation in the platforms' common form. */
export function promptOf(messages: readonly Message[]): LanguageModelV4Prompt {
  const toolNames = new Map<string, string>();
  return messages.map((message) => encode(message, toolNames));
}

/** `toolNames` remembers which tool each call named: a result must name it again. */
function encode(message: Message, toolNames: Map<string, string>): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: encodeUser(message.content) };
    case 'assistant':
      return { role: 'assistant', content: encodeAssistant(message, toolNames) };
    case 'tool': {
      const { toolCallId, content } = message;
      const toolName = toolNames.get(toolCallId) ?? '';
      const output = { type: 'text', value: content } as const;
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
  }
}

function encodeUser(content: string | readonly Part[]) {
  return typeof content === 'string' ? [textPart(content)] : content.map(encodePart);
}

function encodePart(part: Part) {
  if (part.type === 'text') return textPart(part.text);
  const data = { type: 'data', data: part.data } as const;
  return { type: 'file', mediaType: part.mediaType, data } as const;
}

function encodeAssistant(message: AssistantMessage, toolNames: Map<string, string>) {
  const text = message.content === undefined ? [] : [textPart(message.content)];
  const calls = (message.toolCalls ?? []).map(({ id, name, input }) => {
    toolNames.set(id, name);
    return { type: 'tool-call', toolCallId: id, toolName: name, input } as const;
  });
  return [...text, ...calls];
}

function textPart(text: string) {
  return { type: 'text', text } as const;
}
