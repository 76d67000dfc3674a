import { describe, expect, test } from 'vitest';
import { embedded, embeddingYaml } from '../embeddings/stack.ts';
import type { Exchange } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { ask, expectOpenAiError } from './support/openai.ts';

const yaml = `${embeddingYaml}ingress: { openai: true }\n`;

async function embed(stack: Stack, body: object, more: { app?: string; headers?: object } = {}) {
  const { app = 'search', headers = {} } = more;
  const asked = { model: 'sim-embed', input: ['One', 'Two'], ...body };
  return ask(stack, '/openai/v1/embeddings', {
    ...{ app, method: 'POST', body: JSON.stringify(asked) },
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const floatsIn = (text: string) => {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return [...new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))];
};

const dataOf = ({ body }: Exchange) => Object(body).data;

describe('POST /openai/v1/embeddings', () => {
  test(
    'has OpenAI’s format, with the cost in headers, and the numbers of /v1',
    onStack(
      async (stack) => {
        const met = await embed(stack, { encoding_format: 'float' });
        expect(met.status, met.text).toBe(200);
        const { embeddings, usage, cost } = await embedded(stack, { input: ['One', 'Two'] });
        const { inputTokens } = usage;
        expect(met.body).toEqual({
          object: 'list',
          data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
          model: 'sim-embed',
          usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
        });
        expect(met.headers.get('x-cost-usd')).toBe(cost.usd);
        expect(met.headers.get('x-cost-estimated')).toBe('false');
        expect(met.headers.get('x-call-id')).toMatch(/^call_/);
        expect(await stack.audit()).toMatchObject({ clean: true });
      },
      { yaml },
    ),
  );

  test(
    'returns the same numbers in base64, the default of its clients',
    onStack(
      async (stack) => {
        const floats = dataOf(await embed(stack, {}));
        const base64 = dataOf(await embed(stack, { encoding_format: 'base64', user: 'ada' }));
        for (const index of [0, 1]) {
          expect(floatsIn(base64[index].embedding)).toEqual(floats[index].embedding);
        }
        const short = dataOf(await embed(stack, { encoding_format: 'base64', dimensions: 3 }));
        expect(floatsIn(short[0].embedding)).toHaveLength(3);
      },
      { yaml },
    ),
  );

  test(
    'sends many of them in pieces',
    onStack(
      async (stack) => {
        const input = Array.from({ length: 60 }, (_, index) => `text ${index}`);
        const asked = { input, dimensions: 1_024, encoding_format: 'base64' };
        const data = dataOf(await embed(stack, asked));
        expect(data.map(({ index }: { index: number }) => index)).toEqual([...input.keys()]);
        expect(floatsIn(data[59].embedding)).toHaveLength(1_024);
      },
      { yaml },
    ),
  );

  test.each([
    ['tokens that are no ids', { input: [1.5, 2, 3] }, 'input'],
    ['lists of texts', { input: [['a'], ['b']] }, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['another encoding', { encoding_format: 'int8' }, 'encoding_format'],
    ['a field that is not known', { truncate: true }, 'truncate'],
    ['a user that is no text', { user: 7 }, 'user'],
  ])(
    '%s is a 400 that names the field',
    onStack(
      async (stack, _name, body, param) => {
        const met = await embed(stack, body);
        const found = Object(met.body).error.param;
        expect(found.startsWith(param), found).toBe(true);
        expectOpenAiError(met, {
          ...{ status: 400, type: 'invalid_request_error', code: 'INVALID', name: 'INVALID' },
          param: found,
        });
        expect(stack.simulator.bill().total.calls).toBe(0);
      },
      { yaml },
    ),
  );

  test(
    'x-user-id pays before `user` does, and a metered app needs one of them',
    onStack(
      async (stack) => {
        const none = await embed(stack, {}, { app: 'tutor' });
        expect(none.status).toBe(400);
        expect(none.headers.get('x-error-code')).toBe('USER_REQUIRED');
        const headers = { 'x-user-id': 'eve' };
        expect((await embed(stack, { user: 'ada' }, { app: 'tutor', headers })).status).toBe(200);
        const client = await stack.client('tutor');
        const spentBy = async (user: string) => (await stack.clock.run(client.credits(user))).spent;
        expect(await spentBy('ada')).toBe('0');
        expect(await spentBy('eve')).not.toBe('0');
      },
      { yaml },
    ),
  );

  test(
    'a spent budget is 402, and an unusable paid response is 503 without another attempt',
    onStack(
      async (stack) => {
        expectOpenAiError(await embed(stack, {}, { app: 'poor' }), {
          ...{ status: 402, type: 'insufficient_quota', code: 'insufficient_quota' },
          name: 'BUDGET_EXCEEDED',
        });
        const bad = await embed(stack, { model: 'sim-embed-short' });
        expect(bad.status).toBe(503);
        expect(bad.headers.get('x-error-code')).toBe('BAD_OUTPUT');
        expect(bad.headers.get('x-should-retry')).toBe('false');
        expect(bad.headers.get('x-cost-usd')).not.toBeNull();
      },
      { yaml },
    ),
  );
});

test(
  'unknown fields are dropped if the configuration allows it',
  onStack(
    async (stack) => {
      expect((await embed(stack, { truncate: true })).status).toBe(200);
    },
    { yaml: yaml.replace('openai: true', 'openai: true, unknownFields: ignore') },
  ),
);

const misfit = {
  ...{ status: 400, name: 'INVALID', code: 'INVALID', type: 'invalid_request_error' },
  param: 'model',
} as const;

describe('a model of the other kind', () => {
  test(
    'is 400 with the field, on either route, before any reservation',
    onStack(
      async (stack) => {
        expectOpenAiError(await embed(stack, { model: 'sim-echo' }), misfit);
        const messages = [{ role: 'user', content: 'Hello' }];
        const asked = await ask(stack, '/openai/v1/chat/completions', {
          ...{ app: 'search', method: 'POST' },
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'sim-embed', messages }),
        });
        expectOpenAiError(asked, misfit);
      },
      { yaml },
    ),
  );
});
