import { type ChatMessage, type ChatTurn, startChatVendor, turnsAfterUser } from './chat-vendor.ts';
import type { Journey } from './journey.ts';
import { piecesOf } from './journey.ts';

/**
 * Signs the first call of each turn, and requires the signature back. Thoughts count, but are not
 * shown.
 */
export function startGemini() {
  return startChatVendor({
    path: '/v1beta/openai/chat/completions',
    problemOf,
    message: (turn) => ({
      role: 'assistant',
      ...(turn.text !== '' && { content: turn.text }),
      ...(turn.calls.length > 0 && { tool_calls: callsOf(turn) }),
    }),
    deltas: (turn) => [
      ...piecesOf(turn.text).map((content) => ({ role: 'assistant', content })),
      ...callsOf(turn).map((call, index) => ({
        ...{ role: 'assistant', tool_calls: [{ index, ...call }] },
      })),
    ],
    usage(input) {
      const [completion_tokens, thoughts] = [10, 20];
      const total_tokens = input + completion_tokens + thoughts;
      const reported = { prompt_tokens: input, completion_tokens, total_tokens };
      return { reported, billed: { input, output: completion_tokens + thoughts } };
    },
  });
}

function callsOf({ calls, signature }: ChatTurn) {
  return calls.map((call, index) => ({
    ...call,
    ...(index === 0 && { extra_content: { google: { thought_signature: signature } } }),
  }));
}

function problemOf(messages: readonly ChatMessage[], journey: Journey): unknown {
  for (const { tool_calls } of turnsAfterUser(messages)) {
    const call = tool_calls?.[0];
    const signature = call?.extra_content?.google?.thought_signature;
    if (signature === undefined) {
      return rejection('Function call is missing a thought_signature in functionCall parts.');
    }
    if (journey.turnOf(call?.id)?.signature !== signature) {
      return rejection('Thought signature is not valid.');
    }
  }
  return undefined;
}

function rejection(message: string) {
  return [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }];
}
