import { openaiErrorBody } from '../lib/platform-error.ts';
import { reasoningTextOf } from '../stream/segments.ts';
import { decodeChat } from './chat-decode.ts';
import { createChatStream } from './chat-stream.ts';
import { chatCounts, chatUsage, finishReasons } from './chat-words.ts';
import { reportUsageTwice } from './report-usage-twice.ts';
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
  const { model, produced, reportedUsage, reportedFirst: first, createdAtSeconds, nextId } = answer;
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
    usage: chatUsage(usage, reportedUsage),
  });
  return first === undefined ? json : reportUsageTwice(json, first.how, chatCounts(first));
}
