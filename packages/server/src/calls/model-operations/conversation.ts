import type { CallRequest, Message } from '@model-gateway/contract';
import { writeJson } from '../../lib/json-value.ts';

export function conversationOf({ messages, temperature, topP, stop }: CallRequest) {
  let hasCarry = false;
  for (const message of messages) {
    if (message.role === 'assistant' && message.carry !== undefined) hasCarry = true;
  }
  return { messages, temperature, topP, stop, hasCarry };
}

interface Extras {
  readonly schema?: unknown;
  readonly tools?: unknown;
}

/** Texts, tool calls with inputs, tools and schemas. Excludes images and the JSON around texts. */
export function promptBytesOf(request: CallRequest & Extras): number {
  let bytes = jsonBytes(request.schema) + jsonBytes(request.tools);
  for (const message of request.messages) bytes += messageBytes(message);
  return bytes;
}

function messageBytes(message: Message): number {
  switch (message.role) {
    case 'system':
    case 'tool':
      return Buffer.byteLength(message.content);
    case 'user': {
      if (typeof message.content === 'string') return Buffer.byteLength(message.content);
      const texts = message.content.map((part) => (part.type === 'text' ? part.text : ''));
      return Buffer.byteLength(texts.join(''));
    }
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ name, input }) => Buffer.byteLength(name) + jsonBytes(input),
      );
      const text = Buffer.byteLength(message.content ?? '') + jsonBytes(message.carry);
      return calls.reduce((sum, call) => sum + call, text);
    }
  }
}

function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(writeJson(value) ?? '');
}
