import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChance } from '../../src/attack/arena/chance.ts';
import {
  createFullCostCall,
  largestThatFits,
  type PlannedCall,
} from '../../src/attack/arena/planned-call.ts';

const rates = { inputPicoUsd: 2n, heldInputPicoUsd: 3n, outputPicoUsd: 15n };
const call = { label: 'crowd/00017', model: 'asked', rates };

/** The reservation by the ledger's document, from the sent body. */
function heldFor({ request }: PlannedCall): bigint {
  const inputTokens = Buffer.byteLength(JSON.stringify(request)) + 1_024;
  return BigInt(inputTokens) * 3n + BigInt(request.maxTokens) * 15n;
}

/** The instructions that the platform reads in a call. */
function ordersIn({ request }: PlannedCall) {
  const content = request.messages.at(-1)?.content;
  return JSON.parse(typeof content === 'string' ? content : '');
}

describe('a call that bills in full', () => {
  test.each([1, 9, 10, 4_000, 16_384])('of %i output tokens costs its reservation', (maxTokens) => {
    const planned = createFullCostCall({ ...call, maxTokens });
    expect(planned.maximumCostPicoUsd).toBe(heldFor(planned));
    const { bills, label } = ordersIn(planned);
    expect(bills).toEqual({
      inputTokens: Buffer.byteLength(JSON.stringify(planned.request)) + 1_024,
      outputTokens: 'all',
    });
    expect(label).toBe(planned.label);
  });

  test('has the same size for each index, so a whole number of them fits a budget', () => {
    const mosts = [0, 9, 99_999].map((index) => {
      const label = `crowd/${String(index).padStart(5, '0')}`;
      return createFullCostCall({ ...call, label, instructions: { delayMs: 1_500 } })
        .maximumCostPicoUsd;
    });
    expect(new Set(mosts).size).toBe(1);
  });

  test('reserves for the bytes of its normalized text', () => {
    const plain = createFullCostCall({ ...call, text: 'x'.repeat(33) });
    const grown = createFullCostCall({ ...call, text: '\ufdfa' });
    expect(grown.maximumCostPicoUsd).toBe(plain.maximumCostPicoUsd);
  });
});

test('the largest call that fits leaves too little for one more token', () => {
  const least = createFullCostCall({ ...call, maxTokens: 1 }).maximumCostPicoUsd;
  const most = createFullCostCall({ ...call, maxTokens: 16_384 }).maximumCostPicoUsd;
  expect(largestThatFits(call, least - 1n)).toBeUndefined();
  expect(largestThatFits(call, most * 2n)?.request.maxTokens).toBe(16_384);
  fc.assert(
    fc.property(fc.bigInt({ min: least, max: most - 1n }), (remainingPicoUsd) => {
      const planned = largestThatFits(call, remainingPicoUsd);
      expect(planned).toBeDefined();
      if (planned === undefined) return;
      expect(planned.maximumCostPicoUsd).toBeLessThanOrEqual(remainingPicoUsd);
      const maxTokens = planned.request.maxTokens + 1;
      expect(createFullCostCall({ ...call, maxTokens }).maximumCostPicoUsd).toBeGreaterThan(
        remainingPicoUsd,
      );
    }),
  );
});

describe('the chance of a seed', () => {
  const drawn = (seed: number) => {
    const chance = createChance(seed);
    return [chance.below(1_000), chance.next(), ...chance.shuffled([1, 2, 3, 4, 5, 6, 7, 8])];
  };

  test('is the same each time, and different for another seed', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  test('stays within its bounds, and reaches all of them', () => {
    const chance = createChance(7);
    const seen = new Set(Array.from({ length: 1_000 }, () => chance.below(8)));
    expect([...seen].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('loses nothing when it shuffles', () => {
    const items = Array.from({ length: 50 }, (_, index) => index);
    const mixed = createChance(7).shuffled(items);
    expect(mixed).not.toEqual(items);
    expect(mixed.toSorted((one, other) => one - other)).toEqual(items);
  });
});
