import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cost, highestInputRate } from '../../src/catalog/cost.ts';

const rates = {
  inputPicoUsd: 150_000n,
  cachedInputPicoUsd: 75_000n,
  cacheWriteInputPicoUsd: 187_500n,
  outputPicoUsd: 600_000n,
};

function usage(parts: { fresh: number; cached: number; cacheWrite: number; output: number }) {
  return {
    inputTokens: parts.fresh + parts.cached + parts.cacheWrite,
    cachedInputTokens: parts.cached,
    cacheWriteInputTokens: parts.cacheWrite,
    outputTokens: parts.output,
    reasoningTokens: Math.floor(parts.output / 2),
  };
}

describe('the cost of a call', () => {
  test.each([
    // $0.15 and $0.60 a million: 20 × 0.00000015 + 300 × 0.0000006 USD
    [{ fresh: 20, cached: 0, cacheWrite: 0, output: 300 }, 183_000_000n],
    [{ fresh: 0, cached: 0, cacheWrite: 0, output: 0 }, 0n],
    [{ fresh: 0, cached: 1_000_000, cacheWrite: 0, output: 0 }, 75_000_000_000n],
    [{ fresh: 0, cached: 0, cacheWrite: 1_000_000, output: 0 }, 187_500_000_000n],
    [{ fresh: 1, cached: 2, cacheWrite: 4, output: 8 }, 5_850_000n],
  ])('%j', (parts, picoUsd) => {
    expect(cost(usage(parts), rates)).toBe(picoUsd);
  });

  test('is not lowered by a platform that reports more cached tokens than input', () => {
    const odd = {
      ...usage({ fresh: 0, cached: 0, cacheWrite: 0, output: 0 }),
      cachedInputTokens: 2,
    };
    expect(cost(odd, rates)).toBe(150_000n);
  });

  const tokens = fc.nat({ max: 2_000_000 });
  const rate = fc.bigInt({ min: 0n, max: 100_000n * 1_000_000n });
  const anyParts = fc.record({ fresh: tokens, cached: tokens, cacheWrite: tokens, output: tokens });
  const anyRates = fc.record({
    inputPicoUsd: rate,
    cachedInputPicoUsd: rate,
    cacheWriteInputPicoUsd: rate,
    outputPicoUsd: rate,
  });

  test('is linear: two calls cost as much as one with the tokens of both', () => {
    fc.assert(
      fc.property(anyParts, anyParts, anyRates, (a, b, some) => {
        const both = {
          fresh: a.fresh + b.fresh,
          cached: a.cached + b.cached,
          cacheWrite: a.cacheWrite + b.cacheWrite,
          output: a.output + b.output,
        };
        expect(cost(usage(both), some)).toBe(cost(usage(a), some) + cost(usage(b), some));
      }),
    );
  });

  test('is never negative, and never above all input at the highest rate', () => {
    fc.assert(
      fc.property(anyParts, anyRates, (parts, some) => {
        const used = usage(parts);
        const most =
          BigInt(used.inputTokens) * highestInputRate(some) +
          BigInt(used.outputTokens) * some.outputPicoUsd;
        expect(cost(used, some)).toBeGreaterThanOrEqual(0n);
        expect(cost(used, some)).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('a model with higher rates for a large input', () => {
  const long = {
    ...{ inputPicoUsd: 300_000n, cachedInputPicoUsd: 150_000n, cacheWriteInputPicoUsd: 375_000n },
    ...{ outputPicoUsd: 900_000n, aboveInputTokens: 272_000 },
  };
  const higher = { ...long, outputPicoUsd: 950_000n, aboveInputTokens: 500_000 };
  const stepped = { ...rates, steps: [long, higher] };

  test.each([
    ['one token below the step', 271_999, rates],
    ['at the step', 272_000, rates],
    ['one token above it', 272_001, long],
    ['at the next step', 500_000, long],
    ['above that', 500_001, higher],
  ])('bills all of a call %s at one set of rates', (_place, input, expected) => {
    const used = usage({ fresh: input - 3_000, cached: 2_000, cacheWrite: 1_000, output: 500 });
    expect(cost(used, stepped)).toBe(cost(used, expected));
  });
});
