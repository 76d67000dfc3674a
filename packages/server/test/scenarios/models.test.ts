import { simulatorModels } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { meet } from '../support/exchange.ts';
import { expectHeaders } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
models:
  - id: tiny
    platform: local
    upstreamModel: tiny-v1
    inputUsdPerMillion: "0.15"
    cachedInputUsdPerMillion: "0.0375"
    outputUsdPerMillion: "0.60"
    contextTokens: 128000
    maxOutputTokens: 16384
    images: true
  - { id: bare, platform: local }
apps:
  - { name: search }
  - { name: narrow, models: [tiny, bare, sim-echo, not-there] }
`;

test(
  'an app sees its allowed models, with their prices, and without their location',
  onStack(
    async (stack) => {
      const answer = await meet(stack, 'narrow', (client) => client.models());
      expect(answer.status).toBe(200);
      expectHeaders(answer, { shouldRetry: true });
      const operations = ['chat', 'objects', 'agents'];
      expect(answer.body).toEqual({
        models: [
          { id: 'bare', priced: false, price: null, operations, images: false },
          {
            id: 'sim-echo',
            priced: true,
            price: {
              inputUsdPerMillion: '0.15',
              cachedInputUsdPerMillion: '0.075',
              cacheWriteInputUsdPerMillion: '0.1875',
              outputUsdPerMillion: '0.6',
            },
            ...{ contextTokens: 2_000_000, maxOutputTokens: 16_384, operations, images: true },
          },
          {
            id: 'tiny',
            priced: true,
            price: {
              inputUsdPerMillion: '0.15',
              cachedInputUsdPerMillion: '0.0375',
              cacheWriteInputUsdPerMillion: '0.15',
              outputUsdPerMillion: '0.6',
            },
            ...{ contextTokens: 128_000, maxOutputTokens: 16_384, operations, images: true },
          },
        ],
      });
      expect(answer.text).not.toMatch(/upstream|platform|local|127\.0\.0\.1|tiny-v1/);
    },
    { yaml },
  ),
);

test(
  'an app that is not restricted sees them all',
  onStack(
    async (stack) => {
      const { body } = await meet(stack, 'search', (client) => client.models());
      const { models }: { models: { id: string }[] } = Object(body);
      const ids = ['bare', 'tiny', ...simulatorModels.map(({ id }) => id)];
      expect(models.map(({ id }) => id)).toEqual(ids.toSorted());
    },
    { yaml },
  ),
);

test(
  'a model with a higher price for long inputs shows the limit and the price',
  onStack(
    async (stack) => {
      const client = await stack.client('long');
      const { models } = await stack.clock.run(client.models());
      const [model] = models;
      expect(models).toHaveLength(1);
      expect(model?.price).toMatchObject({ longContext: { fromInputTokens: expect.any(Number) } });
      const { inputUsdPerMillion, longContext } = model?.price ?? {};
      expect(Number(longContext?.inputUsdPerMillion)).toBeGreaterThan(Number(inputUsdPerMillion));
    },
    {
      yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { openai: { kind: openai, apiKey: k, adminApiKey: k } }
apps: [{ name: long, models: [gpt-5.5] }]
`,
    },
  ),
);
