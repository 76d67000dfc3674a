import { createOpenAiChat } from '../../../src/platforms/wires/openai-chat/openai-chat.ts';
import { chatEvents } from './stream-events.ts';
import type { AnswerParts, SurfaceSubject } from './surface-subject.ts';
import { openAiCompatibleAt } from './try-platform.ts';

/** OpenAI's chat completions. Source: OpenAI's API reference, "The chat completion object". */
export const chatSubject: SurfaceSubject = {
  name: 'openai-chat',
  platformAt: openAiCompatibleAt,
  modelsOf: createOpenAiChat,
  events: chatEvents,
  answer: chatCompletion,
  finishWords: {
    stop: 'stop',
    length: 'length',
    'content-filter': 'content_filter',
    'tool-calls': 'tool_calls',
  },
  least: { fields: { choices: [{ message: { content: 'hi' } }] }, finish: 'other' },
  broken: {
    'choices that are null': { choices: null },
    'choices that are text': { choices: 'hi' },
  },
  hasStop: true,
};

function chatCompletion(parts: AnswerParts): Record<string, unknown> {
  const { finish = 'stop', toolCalls, usage } = parts;
  const content = parts.text ?? (toolCalls === undefined ? 'Hello there.' : null);
  const message = {
    role: 'assistant',
    content,
    refusal: null,
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls.map(toolCallOf) }),
  };
  const finish_reason = chatSubject.finishWords[finish];
  return {
    id: 'chatcmpl-123',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'test-model',
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage:
      usage === undefined
        ? documentedUsage
        : { prompt_tokens: usage.input, completion_tokens: usage.output },
    ...parts.extra,
  };
}

const documentedUsage = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
};

function toolCallOf(
  toolCall: { readonly name: string; readonly arguments: string },
  index: number,
) {
  return { id: `call_${index}`, type: 'function', function: toolCall };
}
