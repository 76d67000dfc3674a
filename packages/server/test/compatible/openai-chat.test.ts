import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { onStack } from '../support/on-stack.ts';
import { complete, completionOf, openAiYaml } from './support/openai.ts';

const on = { yaml: openAiYaml };
const tools = [
  {
    type: 'function',
    function: { name: 'weather', description: 'Tells it', parameters: { type: 'object' } },
  },
] as const;

describe('a chat completion', () => {
  test(
    'has OpenAI’s format, with its cost in headers, and is paid exactly',
    onStack(async (stack) => {
      const { status, body, headers } = await complete(stack, completionOf());
      expect(status).toBe(200);
      expect(body).toEqual({
        id: headers.get('x-call-id'),
        object: 'chat.completion',
        created: Math.floor(stack.clock.now() / 1_000),
        model: 'sim-echo',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Hello, gateway!', refusal: null },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: {
          prompt_tokens: 24,
          completion_tokens: 4,
          total_tokens: 28,
          prompt_tokens_details: { cached_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0 },
          ...{ cost: 0.000006, cost_usd: '0.000006', cost_estimated: false },
        },
        system_fingerprint: null,
      });
      expect(headers.get('x-cost-usd')).toBe('0.000006');
      expect(headers.get('x-cost-estimated')).toBe('false');
      expect(headers.get('x-max-tokens-applied')).toBe('4096');
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    }, on),
  );

  test(
    'has tool calls with the model’s exact arguments, and continues after them',
    onStack(async (stack) => {
      const request = { tools, tool_choice: 'required', parallel_tool_calls: false };
      const first = await complete(stack, completionOf('sim-echo', request));
      expect(first.status, first.text).toBe(200);
      const { choices } = JSON.parse(first.text);
      expect(choices).toEqual([
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [
              {
                id: expect.any(String),
                type: 'function',
                function: { name: 'weather', arguments: expect.stringMatching(/^\{/) },
              },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ]);
      const [{ message }] = choices;
      const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'Rain' };
      const messages = [...completionOf().messages, message, result];
      const next = await complete(
        stack,
        completionOf('sim-echo', { ...request, messages, tool_choice: 'auto' }),
      );
      expect(next.status, next.text).toBe(200);
    }, on),
  );
});

test(
  'has the form that the document shows',
  onStack(async (stack) => {
    const page = readFileSync(new URL('../../../../docs/compatible.md', import.meta.url), 'utf8');
    const [, body = ''] = /-d '(\{.*\})'/.exec(page) ?? [];
    const { status, text } = await complete(stack, body);
    expect([status, text]).toEqual([200, expect.stringContaining('"content":"Hello"')]);
  }, on),
);
