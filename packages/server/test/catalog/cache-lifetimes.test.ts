import { describe, expect, test } from 'vitest';
import { cost, highestInputRate } from '../../src/catalog/cost.ts';
import { priceOf } from '../../src/catalog/price.ts';

const rates = {
  ...{ inputPicoUsd: 100n, cachedInputPicoUsd: 10n, cacheWriteInputPicoUsd: 125n },
  outputPicoUsd: 500n,
};
const withHour = { ...rates, cacheWrite1hInputPicoUsd: 190n };
const usage = {
  ...{ inputTokens: 10, cachedInputTokens: 2, cacheWriteInputTokens: 5 },
  ...{ outputTokens: 1, reasoningTokens: 0 },
};
const base = 3n * 100n + 2n * 10n + 500n;

describe('input that is cached for an hour', () => {
  test.each([
    ['has its own rate', withHour, 3, base + 2n * 125n + 3n * 190n],
    ['costs twice the input where it has none', rates, 3, base + 2n * 125n + 3n * 200n],
    ['is no more than what was written', withHour, 9, base + 5n * 190n],
    ['may be nothing', withHour, 0, base + 5n * 125n],
  ] as const)('%s', (_, known, cacheWrite1hInputTokens, picoUsd) => {
    expect(cost({ ...usage, cacheWrite1hInputTokens }, known)).toBe(picoUsd);
  });

  test('sets the highest input rate only if it is requested', () => {
    expect(highestInputRate(withHour)).toBe(125n);
    expect(highestInputRate(withHour, { cachesForLong: 'all' })).toBe(190n);
    expect(highestInputRate(rates, { cachesForLong: 'all' })).toBe(200n);
  });

  test('creates another version of a price, but not for a price without it', () => {
    expect(priceOf('m', withHour).version).not.toBe(priceOf('m', rates).version);
    const absent = { ...rates, cacheWrite1hInputPicoUsd: undefined };
    expect(priceOf('m', absent).version).toBe(priceOf('m', rates).version);
    expect(priceOf('m', rates).version).toBe('a0b6a2af62b4b0e7');
  });
});
