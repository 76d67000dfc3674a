import type { Part } from '@model-gateway/contract';
import type { ModelMessage } from './model-request.ts';

/**
 * Anthropic and others reject blank text blocks. Histories contain them next to tool calls, as
 * instructions, and with an image.
 */
export function withoutBlankTexts(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.flatMap(withoutBlanks);
}

function withoutBlanks(message: ModelMessage): readonly ModelMessage[] {
  switch (message.role) {
    case 'system':
      return isBlank(message.content) ? [] : [message];
    case 'user': {
      if (typeof message.content === 'string') return isBlank(message.content) ? [] : [message];
      const content = withoutBlankParts(message.content);
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    case 'assistant': {
      const { content = '', ...others } = message;
      if (!isBlank(content)) return [message];
      return (message.toolCalls ?? []).length === 0 ? [] : [others];
    }
    case 'tool':
      return [message];
  }
}

export function withoutBlankParts(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => part.type !== 'text' || !isBlank(part.text));
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
