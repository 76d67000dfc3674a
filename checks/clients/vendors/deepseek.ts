import { type ChatMessage, hasCalls, startChatVendor } from './chat-vendor.ts';
import { type Journey, piecesOf } from './journey.ts';

/** Thinks in `reasoning_content`, and requires it back with every message that called a tool. */
export function startDeepSeek() {
  return startChatVendor({
    path: '/v1/chat/completions',
    problemOf,
    message: ({ text, thought, calls }) => ({
      ...{ role: 'assistant', content: text, reasoning_content: thought },
      ...(calls.length > 0 && { tool_calls: calls }),
    }),
    deltas: ({ text, thought, calls }) => [
      { role: 'assistant', content: null, reasoning_content: '' },
      ...piecesOf(thought).map((reasoning_content) => ({ reasoning_content, content: null })),
      ...piecesOf(text).map((content) => ({ content, reasoning_content: null })),
      ...calls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
    ],
    usage(input) {
      const total_tokens = input + 30;
      const details = { completion_tokens_details: { reasoning_tokens: 12 } };
      const reported = { prompt_tokens: input, completion_tokens: 30, total_tokens, ...details };
      return { reported, billed: { input, output: 30 } };
    },
  });
}

function problemOf(messages: readonly ChatMessage[], journey: Journey): unknown {
  for (const { reasoning_content, tool_calls } of messages.filter(hasCalls)) {
    if (typeof reasoning_content !== 'string') {
      return rejection(
        'The reasoning_content in the thinking mode must be passed back to the API.',
      );
    }
    const turn = journey.turnOf(tool_calls?.[0]?.id);
    if (turn?.thought !== reasoning_content) return rejection('The reasoning_content is another.');
  }
  return undefined;
}

function rejection(message: string) {
  return {
    error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
  };
}
