import { openaiErrorBody } from '../lib/platform-error.ts';
import { reasoningTextOf } from '../stream/beats.ts';
import { decodeChat } from './chat-decode.ts';
import { createChatStream } from './chat-stream.ts';
import { chatStated, chatUsage, finishReasons } from './chat-words.ts';
import { statedTwice } from './stated-twice.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

export const chatSurface: SurfaceWire = {
  surface: 'chat',
  path: '/v1/chat/completions',
  projectHeader: 'openai-project',
  decode: decodeChat,
  encode: encodeChat,
  createStreamEncoder: createChatStream,
  encodeError: openaiErrorBody,
};

function encodeChat(answer: AnswerParts) {
  const { model, produced, statedUsage, statedFirst: first, createdAtSeconds, nextId } = answer;
  const { text, toolCalls, finish, usage } = produced;
  const calls = toolCalls.map((toolCall) => ({
    id: nextId('call_'),
    type: 'function',
    function: { name: toolCall.name, arguments: toolCall.arguments },
  }));
  const content = text === '' && calls.length > 0 ? null : text;
  const reasoning_content = reasoningTextOf(usage);
  const reasoned = reasoning_content === '' ? {} : { reasoning_content };
  const message = { role: 'assistant', content, refusal: null, ...reasoned };
  const json = JSON.stringify({
    id: nextId('chatcmpl-'),
    object: 'chat.completion',
    created: createdAtSeconds,
    model,
    choices: [
      {
        index: 0,
        message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
        logprobs: null,
        finish_reason: finishReasons[finish],
      },
    ],
    usage: chatUsage(usage, statedUsage),
  });
  return first === undefined ? json : statedTwice(json, first.how, chatStated(first));
}
