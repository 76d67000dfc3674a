import { expect, test } from 'vitest';
import { readLibraryUsage } from '../../src/platforms/ai-sdk/read-library-usage.ts';
import { readUsage } from '../../src/platforms/evidence/read-usage.ts';
import { Statements } from '../../src/platforms/evidence/statements.ts';
import { costOf } from '../../src/platforms/evidence/walk-usage.ts';

test.each([
  [0.0042, 4_200_000_000n],
  [4.2e-7, 420_000n],
  [1e-12, 1n],
  [1.1e-12, 2n],
  [1e-30, 1n],
  [0, 0n],
  ['0', 0n],
  ['0.000', 0n],
  ['0.1234567890123', 123_456_789_013n],
  [' 12 ', 12_000_000_000_000n],
  ['1E3', 1_000_000_000_000_000n],
  [1e300, 10n ** 312n],
] as const)('$%s is %s pico-USD', (value, picoUsd) => {
  expect(costOf(value, 12)).toBe(picoUsd);
});

test('ticks have another unit', () => {
  expect(costOf(37_756_000, 2)).toBe(3_775_600_000n);
});

test.each([-1, -0.1, Number.NaN, Number.POSITIVE_INFINITY, '', '$1', '1,5', '0x10', '1e999', null])(
  '%s is not a cost',
  (value) => {
    expect(costOf(value, 12)).toBeUndefined();
  },
);

test('a text of any length is read in linear time', () => {
  expect(costOf('9'.repeat(1_000_000), 12)).toBeUndefined();
  expect(costOf(`0.${'0'.repeat(1_000_000)}x`, 12)).toBeUndefined();
});

test('a stream has the largest cost that it reports, wherever it reports it', () => {
  const counts = { prompt_tokens: 10, completion_tokens: 5 };
  const statements = new Statements(readUsage);
  statements.add({ usage: { cost: 0.5 } });
  statements.add({ usage: counts });
  statements.add({ usage: { ...counts, cost: 0.25 } });
  statements.add({ usage: { prompt_tokens: 0, completion_tokens: 0, cost: 0.75 } });
  expect(statements.final()).toMatchObject({
    ...{ inputTokens: 10, outputTokens: 5, doubts: [] },
    reportedCost: { picoUsd: 750_000_000_000n, name: 'usage.cost' },
  });
});

test('a library’s missing values are read from its raw usage', () => {
  const usage = {
    inputTokens: { total: 10, cacheRead: 4 },
    outputTokens: { total: 5 },
    raw: {
      ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      ...{ cost: 0.5, moon_tokens: 3, prompt_tokens_details: { audio_tokens: 2 } },
    },
  };
  expect(readLibraryUsage(usage)).toMatchObject({
    ...{ inputTokens: 10, cachedInputTokens: 4, outputTokens: 5 },
    doubts: [
      { reason: 'unknown-number', name: 'usage.moon_tokens' },
      { reason: 'other-price', name: 'usage.prompt_tokens_details.audio_tokens' },
    ],
    reportedCost: { picoUsd: 500_000_000_000n, name: 'usage.cost' },
  });
});
