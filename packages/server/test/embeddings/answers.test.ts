import { createSimulator } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import { formatUsd } from '../../src/lib/money.ts';
import { onStack } from '../support/on-stack.ts';

import { answerOf, budgetOf, embed, embedded, embeddingYaml } from './stack.ts';

const yaml = embeddingYaml;

/** The platform's own response, as decimals. */
async function statedBy(input: readonly string[], dimensions?: number) {
  const simulator = createSimulator({ clock: { now: () => 0, after: () => ({ cancel() {} }) } });
  const body = JSON.stringify({ model: 'sim-embed', input, dimensions });
  const request = new Request('http://simulator.test/v1/embeddings', { method: 'POST', body });
  const { data } = Object(await (await simulator.fetch(request)).json());
  return data.map(({ embedding }: { embedding: readonly number[] }) => embedding);
}

describe('POST /v1/embeddings', () => {
  test(
    'returns the exact numbers of the platform, in the order of the texts',
    onStack(
      async (stack) => {
        const input = ['One', 'Two', 'Grüße, 世界'];
        const answer = await embedded(stack, { input });
        expect(Object.keys(answer)).toEqual([
          ...['id', 'model', 'requestId', 'embeddings', 'usage', 'cost'],
        ]);
        expect(answer.embeddings).toEqual(await statedBy(input));
        expect(answer.embeddings.map((numbers) => numbers.length)).toEqual([16, 16, 16]);
        expect(answer).toMatchObject({ model: 'sim-embed', usage: { outputTokens: 0 } });
        const [call] = stack.simulator.bill().calls;
        expect(answer.requestId).toBe(call?.requestId);
        expect(answer.cost).toEqual({ usd: '0.0000006', estimated: false });
        expect(answer.cost.usd).toBe(formatUsd(call?.costPicoUsd ?? 0n));
      },
      { yaml },
    ),
  );

  test(
    'accepts one text, too, and shortens its vectors on request',
    onStack(
      async (stack) => {
        const { embeddings } = await embedded(stack, { input: 'One', dimensions: 3 });
        expect(embeddings).toEqual(await statedBy(['One'], 3));
        expect(embeddings[0]).toHaveLength(3);
      },
      { yaml },
    ),
  );

  test(
    'books exactly the platform’s bill: 2,048 texts are one call',
    onStack(
      async (stack) => {
        const input = Array.from({ length: 2_048 }, (_, index) => `text ${index}`);
        const { embeddings, usage } = await embedded(stack, { input, dimensions: 64 });
        expect(embeddings).toHaveLength(2_048);
        expect(embeddings).toEqual(await statedBy(input, 64));
        const { total } = stack.simulator.bill();
        expect(total).toMatchObject({ calls: 1, inputTokens: usage.inputTokens });
        const { spentUsd, heldUsd, totals } = await budgetOf(stack);
        expect(spentUsd).toBe(formatUsd(total.costPicoUsd));
        expect({ heldUsd, calls: totals.calls }).toEqual({ heldUsd: '0', calls: 1 });
        expect(await stack.audit()).toMatchObject({ clean: true });
      },
      { yaml },
    ),
  );

  test(
    'is a route if a model of the catalog supports embeddings',
    onStack(
      async (stack) => {
        const client = await stack.client('search');
        const { models } = await stack.clock.run(client.models());
        const entry = models.find(({ id }) => id === 'sim-embed');
        expect(entry).toMatchObject({ operations: ['embeddings'], priced: true });
        const missing = await stack.post('search', '/v1/embedding', {});
        expect(await missing.json()).toMatchObject({
          error: { code: 'NOT_FOUND', message: expect.stringContaining('POST /v1/embeddings') },
        });
      },
      { yaml },
    ),
  );

  test(
    'is not a route without such a model, as specified',
    onStack(async (stack) => {
      const missing = await embed(stack, {});
      expect(missing.status).toBe(404);
      const { error } = Object(await missing.json());
      expect(error.message.split('the routes are')[1]).not.toContain('embeddings');
    }),
  );
});

test(
  'equal requests with one key are one call, and a later one learns that no result is stored',
  onStack(
    async (stack) => {
      const body = { model: 'sim-embed-told', input: JSON.stringify({ delayMs: 1_000 }) };
      const both = await Promise.all([
        embed(stack, body, { key: 'k-1' }),
        embed(stack, body, { key: 'k-1' }),
      ]);
      const answers = await Promise.all(both.map(answerOf));
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[1]).toEqual(answers[0]);
      const replayed = both.map(({ headers }) => headers.get('idempotent-replayed'));
      expect(replayed.toSorted()).toEqual(['true', null].toSorted());
      const later = await embed(stack, body, { key: 'k-1' });
      expect(later.status).toBe(400);
      expect(later.headers.get('x-should-retry')).toBe('false');
      const { error } = Object(await later.json());
      expect(error).toMatchObject({
        code: 'INVALID',
        message: expect.stringContaining('its response is not stored'),
      });
      expect(stack.simulator.bill().total.calls).toBe(1);
      expect((await budgetOf(stack)).totals.calls).toBe(1);
    },
    { yaml },
  ),
);

test(
  'too many vectors for one text are sent in pieces, and none is missing',
  onStack(
    async (stack) => {
      const input = Array.from({ length: 200 }, (_, index) => `text ${index}`);
      const answer = await embedded(stack, { input, dimensions: 1_024 });
      expect(answer.embeddings).toEqual(await statedBy(input, 1_024));
      expect(answer).toMatchObject({ cost: { estimated: false } });
      expect(stack.service.ingress.inFlight()).toBe(0);
    },
    { yaml },
  ),
);
