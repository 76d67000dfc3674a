import type { FinishReason } from '../outcome.ts';
import { openaiErrorBody } from '../platform-error.ts';
import type { TokenCounts } from '../usage.ts';
import { decodeChat } from './chat-decode.ts';
import type { AnswerParts, SurfaceWire } from './surface.ts';

/** OpenAI chat completions, as Bedrock mantle speaks them. */
export const chatSurface: SurfaceWire = {
  surface: 'chat',
  path: '/v1/chat/completions',
  projectHeader: 'openai-project',
  decode: decodeChat,
  encode: encodeChat,
  encodeError: openaiErrorBody,
};

/** The wire cannot tell a stop sequence from an end that the model chose. */
const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

function encodeChat({ model, produced, statedUsage, createdAtSeconds, nextId }: AnswerParts) {
  const { text, toolCalls, finish, usage } = produced;
  const calls = toolCalls.map((toolCall) => ({
    id: nextId('call_'),
    type: 'function',
    function: { name: toolCall.name, arguments: toolCall.arguments },
  }));
  const content = text === '' && calls.length > 0 ? null : text;
  const message = { role: 'assistant', content, refusal: null };
  return JSON.stringify({
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
    usage: statedUsage === undefined ? trueUsage(usage) : oddUsage(statedUsage),
  });
}

/** Details appear only where there are some: the platform often sends none. */
function trueUsage(usage: TokenCounts) {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const totals = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  const cache = { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteInputTokens };
  const reasoning = { reasoning_tokens: usage.reasoningTokens };
  return {
    ...totals,
    ...(cachedInputTokens + cacheWriteInputTokens > 0 ? { prompt_tokens_details: cache } : {}),
    ...(usage.reasoningTokens > 0 ? { completion_tokens_details: reasoning } : {}),
  };
}

function oddUsage(stated: Exclude<AnswerParts['statedUsage'], undefined>) {
  if (stated === 'absent') return undefined;
  return { prompt_tokens: stated.inputTokens, completion_tokens: stated.outputTokens };
}
