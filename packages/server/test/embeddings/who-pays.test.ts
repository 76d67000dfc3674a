import { describe, expect, test } from 'vitest';
import { formatUsd } from '../../src/lib/money.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';
import { budgetOf, embed, embedded, embeddingYaml } from './stack.ts';

const yaml = embeddingYaml;

/** The result of a rejected attempt: its error, the app's cost, and the platform's bill. */
async function outcome(stack: Stack, body: object, key?: string) {
  const response = await embed(stack, body, key === undefined ? {} : { key });
  const { error } = Object(await response.json());
  const { spentUsd, heldUsd, totals } = await budgetOf(stack);
  const billedUsd = formatUsd(stack.simulator.bill().total.costPicoUsd);
  const { estimatedUsd } = totals;
  return { status: response.status, error, spentUsd, heldUsd, estimatedUsd, billedUsd };
}

const told = (orders: object) => ({
  model: 'sim-embed-told',
  input: JSON.stringify(orders),
});

describe('an unusable response is paid exactly', () => {
  test.each([
    [
      'one vector too few',
      { model: 'sim-embed-short', input: ['One', 'Two'] },
      'returned 1 embeddings for 2 texts',
    ],
    ['no vector', told({ vectors: 0 }), 'returned 0 embeddings for 1 text'],
    ['one too many', told({ vectors: 2 }), 'returned 2 embeddings for 1 text'],
  ])(
    '%s is BAD_OUTPUT',
    onStack(
      async (stack, _name, body, says) => {
        const seen = await outcome(stack, body);
        expect(seen).toMatchObject({ status: 502, error: { code: 'BAD_OUTPUT' }, heldUsd: '0' });
        expect(seen.error.message).toContain(says);
        expect(seen.spentUsd).not.toBe('0');
        expect(seen.spentUsd).toBe(seen.billedUsd);
        expect(seen.estimatedUsd).toBe('0');
      },
      { yaml },
    ),
  );
});

describe('a platform that fails bills nothing', () => {
  test.each([
    ['sim-embed-throttled', 429, 'THROTTLED'],
    ['sim-embed-crash', 502, 'SERVER'],
  ])(
    '%s',
    onStack(
      async (stack, model, status, code) => {
        const seen = await outcome(stack, { model });
        expect(seen).toMatchObject({ status, error: { code }, spentUsd: '0', heldUsd: '0' });
      },
      { yaml },
    ),
  );
});

test.each([
  ['says nothing', { model: 'sim-embed-no-usage' }],
  ['says 1.5', told({ states: { inputTokens: 1.5, outputTokens: 0 } })],
  ['says a text', told({ states: { inputTokens: '12', outputTokens: 0 } })],
])(
  'a platform that %s of its counts has the reservation booked, as an estimate',
  onStack(
    async (stack, _name, body) => {
      const input = 'input' in body ? body.input : 'Hello';
      const { cost, usage } = await embedded(stack, body);
      expect(cost.estimated).toBe(true);
      expect(usage.inputTokens).toBe(0);
      const bytes = Buffer.byteLength(JSON.stringify({ model: body.model, input }));
      const heldUsd = formatUsd(BigInt(bytes + 1_024) * 20_000n);
      const { spentUsd, totals } = await budgetOf(stack);
      expect({ spentUsd, estimatedUsd: totals.estimatedUsd }).toEqual({
        ...{ spentUsd: heldUsd, estimatedUsd: heldUsd },
      });
    },
    { yaml },
  ),
);

test(
  'counts above all sent bytes are not accepted, and booked in full',
  onStack(
    async (stack) => {
      const states = { inputTokens: 1_000_000, outputTokens: 0 };
      const { cost } = await embedded(stack, told({ states }));
      expect(cost).toEqual({ usd: '0.02', estimated: true });
      expect((await budgetOf(stack)).spentUsd).toBe('0.02');
    },
    { yaml },
  ),
);

test(
  'the possible growth of a text by normalization is reserved',
  onStack(
    async (stack) => {
      const input = [JSON.stringify({ bills: { inputTokens: 'normalized' } })];
      input.unshift('\ufdfa'.repeat(2_000));
      const { cost, usage } = await embedded(stack, { model: 'sim-embed-told', input });
      expect(usage.inputTokens).toBeGreaterThan(2_000 * 33);
      expect(cost.estimated).toBe(false);
      expect(await stack.audit()).toMatchObject({ clean: true });
    },
    { yaml },
  ),
);

describe('a metered user', () => {
  const ada = { userId: 'ada' };
  const creditsOf = async (stack: Stack) => {
    const client = await stack.client('tutor');
    const { spent, held } = await stack.clock.run(client.credits('ada'));
    return { spent, held };
  };

  test(
    'pays the cost of the call',
    onStack(
      async (stack) => {
        const { cost } = await embedded(stack, { ...ada, input: 'x'.repeat(4_000) }, 'tutor');
        expect(cost.usd).toBe('0.00002048');
        expect(await creditsOf(stack)).toEqual({ spent: '0.002048', held: '0' });
      },
      { yaml },
    ),
  );

  test(
    'pays by the bytes of the texts without counts',
    onStack(
      async (stack) => {
        const body = { ...ada, model: 'sim-embed-no-usage', input: ['x'.repeat(299), 'y'] };
        await embedded(stack, body, 'tutor');
        expect(await creditsOf(stack)).toEqual({ spent: '0.0002', held: '0' });
      },
      { yaml },
    ),
  );

  test(
    'pays nothing for a late response, since nobody can collect it',
    onStack(
      async (stack) => {
        const body = { ...ada, ...told({ delayMs: 27_000 }) };
        const response = await embed(stack, body, { app: 'tutor', key: 'k-1' });
        expect(response.status).toBe(504);
        await stack.clock.advance(60_000);
        expect(await creditsOf(stack)).toEqual({ spent: '0', held: '0' });
        const { spentUsd } = await budgetOf(stack, 'tutor');
        expect(spentUsd).toBe(formatUsd(stack.simulator.bill().total.costPicoUsd));
        const again = await embed(stack, body, { app: 'tutor', key: 'k-1' });
        expect(again.status).toBe(400);
        expect(stack.simulator.bill().total.calls).toBe(1);
      },
      { yaml },
    ),
  );
});
