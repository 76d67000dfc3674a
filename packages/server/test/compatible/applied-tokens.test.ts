import type { ModelCall } from '@model-gateway/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStack, type Stack } from '../support/stack.ts';

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "1"';
const row = (id: string, upstream: string, more: string) =>
  `  - { id: ${id}, platform: sandbox, upstreamModel: ${upstream}, ${prices}, ${more} }`;

const yaml = `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true, defaultMaxTokens: 300 }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
${row('small', 'sim-echo', 'maxOutputTokens: 50')}
${row('large', 'sim-cached', 'maxOutputTokens: 500')}
  - { id: chats, route: [small, large], fallbackOn: [server] }
${row('small-responses', 'sim-echo', 'pathFamily: v1-responses, maxOutputTokens: 50')}
${row('large-responses', 'sim-cached', 'pathFamily: v1-responses')}
  - { id: responses, route: [small-responses, large-responses], fallbackOn: [server] }
${row('small-messages', 'sim-echo', 'pathFamily: anthropic-v1-messages, maxOutputTokens: 50')}
${row('large-messages', 'sim-cached', 'pathFamily: anthropic-v1-messages')}
  - { id: messages, route: [small-messages, large-messages], fallbackOn: [server] }
`;

let stack: Stack;
let isDown = false;
let sent: ModelCall | undefined;
beforeAll(async () => {
  stack = await openStack({
    yaml,
    script(call) {
      sent = call;
      const fails = isDown && call.request.model === 'sim-echo';
      return fails ? { kind: 'raw', status: 503, body: '' } : undefined;
    },
  });
});
afterAll(() => stack.close());

const messages = [{ role: 'user', content: 'Hello' }];
const asks = {
  chats: {
    path: '/openai/v1/chat/completions',
    field: 'max_completion_tokens',
    body: { messages },
  },
  responses: { path: '/openai/v1/responses', field: 'max_output_tokens', body: { input: 'Hello' } },
  messages: { path: '/anthropic/v1/messages', field: 'max_tokens', body: { messages } },
};

interface Case {
  readonly alias: keyof typeof asks;
  readonly stream: boolean;
  readonly falls: boolean;
  readonly stated?: number;
  readonly applied: number;
}

const cases: readonly Case[] = (['chats', 'responses', 'messages'] as const).flatMap((alias) =>
  [false, true].flatMap((stream) => [
    { alias, stream, falls: false, stated: 400, applied: 50 },
    { alias, stream, falls: true, stated: 400, applied: 400 },
    { alias, stream, falls: true, applied: 300 },
    { alias, stream, falls: true, stated: 20, applied: 20 },
  ]),
);
const least = { alias: 'responses', stream: false, stated: 1, applied: 16 } as const;

test.each<Case>([...cases, { ...least, falls: false }, { ...least, falls: true }])(
  'an alias reports the applied token limit of the model that answered: %j',
  async ({ alias, stream, falls, stated, applied }) => {
    // The circuit might be open after earlier failures. Let it close.
    await stack.clock.advance(11_000);
    isDown = falls;
    const { path, field, body } = asks[alias];
    const limit = stated === undefined ? {} : { [field]: stated };
    const response = await stack.post('search', path, {
      ...{ model: alias, ...body, ...limit, ...(stream && { stream }) },
    });
    expect(response.status, await stack.clock.run(response.text())).toBe(200);
    const sizes = { chats: '', responses: '-responses', messages: '-messages' };
    const served = `${falls ? 'large' : 'small'}${sizes[alias]}`;
    expect(response.headers.get('x-served-by')).toBe(served);
    expect(response.headers.get('x-max-tokens-applied')).toBe(String(applied));
    const { max_tokens, max_output_tokens } = JSON.parse(sent?.bodyText ?? '');
    expect(max_tokens ?? max_output_tokens).toBe(applied);
  },
);
