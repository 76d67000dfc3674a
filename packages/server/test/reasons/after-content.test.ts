import { describe, expect, test } from 'vitest';
import { nameOf, openHouse, routes, streamOf } from '../errors-in-200/house.ts';

const { ask } = openHouse();

const error = {
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
  message: "This model's maximum context length is 200000 tokens, said to account 4711.",
};

const chunk = { choices: [{ index: 0, delta: { content: 'Hello.' }, finish_reason: null }] };
const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [] };
const response = { id: 'r', object: 'response', output: [], usage: null };

/** A stream in each wire format that has begun content when its context is full. */
const streams = {
  chat: [chunk, { error }],
  claude: [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'error', error },
  ],
  gpt: [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_text.delta', output_index: 0, delta: 'Hello.' },
    { type: 'response.failed', response: { ...response, status: 'failed', error } },
  ],
  vectors: [],
} as const;

const streamed = routes.filter(({ isStream }) => isStream);

describe('a context that is full after content', () => {
  test.each(streamed.map((route) => [nameOf(route), route] as const))(
    '%s: the last event contains it, and the begun content is booked',
    async (_, route) => {
      const told = await ask(route, [streamOf(...streams[route.wire])]);
      expect(told.status).toBe(200);
      expect(told.text).toContain('Hello.');
      expect(told.text).not.toContain('4711');
      const last = told.text.trimEnd().split('\n').at(-1)?.replace('data: ', '') ?? '';
      const { error: told200, code } = JSON.parse(last);
      expect(told200.message).toContain('prompt is too long');
      if (route.path.startsWith('/v1')) expect(told200.code).toBe('SERVER');
      if (route.path.startsWith('/openai')) expect(told200.code).toBe('context_length_exceeded');
      if (route.path.endsWith('/responses')) expect(code).toBe('context_length_exceeded');
      // The failure of a response is its last event.
      const estimateReason = route.wire === 'gpt' ? 'unknown-outcome' : 'broken-stream';
      expect(told.attempts).toMatchObject([{ outcome: 'SERVER', estimated: true, estimateReason }]);
      // 32,000 tokens of output at $25, and the input at $5.
      expect(told.record?.cost).toBeGreaterThan(32_000n * 25_000_000n);
    },
  );
});
