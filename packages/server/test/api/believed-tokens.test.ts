import { describe, expect, test } from 'vitest';
import { believedTokens, bookAttempt } from '../../src/inference/attempts.ts';
import type { AttemptOutcome, ReportedUsage } from '../../src/platforms/port.ts';

const bound = { inputTokens: 1_000, outputTokens: 50, amountPicoUsd: 777n };
const none = undefined;

function reported(parts: Partial<ReportedUsage>): ReportedUsage {
  return {
    ...{ inputTokens: none, cachedInputTokens: none, cacheWriteInputTokens: none },
    ...{ outputTokens: none, reasoningTokens: none },
    ...parts,
  };
}

function tokens(parts: object) {
  return {
    ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
    ...{ outputTokens: 0, reasoningTokens: 0 },
    ...parts,
  };
}

describe('counts are believed', () => {
  test.each([
    { given: { inputTokens: 0, outputTokens: 0 } },
    { given: { inputTokens: 1_000, outputTokens: 100 } },
    { given: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 10 } },
    { given: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 6, cacheWriteInputTokens: 4 } },
    { given: { inputTokens: 10, outputTokens: 5, reasoningTokens: 5 } },
  ])('$given', ({ given }) => {
    expect(believedTokens(reported(given), bound)).toEqual(tokens(given));
  });
});

describe('counts are missing', () => {
  test.each([
    { given: {} },
    { given: { inputTokens: 10 } },
    { given: { outputTokens: 5 } },
    { given: { inputTokens: 1_001, outputTokens: 5 } },
    { given: { inputTokens: 10, outputTokens: 101 } },
    { given: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 11 } },
    { given: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 6, cacheWriteInputTokens: 5 } },
  ])('$given', ({ given }) => {
    expect(believedTokens(reported(given), bound)).toBeUndefined();
  });
});

test('more thinking than output is no more than the output', () => {
  const given = { inputTokens: 10, outputTokens: 5, reasoningTokens: 9 };
  expect(believedTokens(reported(given), bound)?.reasoningTokens).toBe(5);
});

describe('an attempt is booked', () => {
  const price = {
    ...{ inputPicoUsd: 3n, cachedInputPicoUsd: 1n, cacheWriteInputPicoUsd: 4n, outputPicoUsd: 5n },
    version: 'v1',
  };
  const usage = reported({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 });
  const answered: AttemptOutcome = {
    ...{ kind: 'answered', content: [], finish: 'stop', finishRaw: 'stop' },
    ...{ usage, requestId: none },
  };
  const failed: Extract<AttemptOutcome, { kind: 'failed' }> = {
    ...{ kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: false },
    ...{ retryAfterMs: none, status: 502, requestId: none, usage: none, detail: '' },
  };
  const book = (outcome: AttemptOutcome, of: { price?: typeof price } = { price }) => {
    const parts = { outcome, bound, price: of.price, startedAt: 0, tookMs: 0 };
    const { cost, isEstimated } = bookAttempt(parts);
    return { cost, isEstimated };
  };

  test('with what its counts cost', () => {
    expect(book(answered)).toEqual({ cost: 6n * 3n + 4n * 1n + 2n * 5n, isEstimated: false });
  });

  test('with nothing where the model has no price', () => {
    expect(book(answered, {})).toEqual({ cost: 0n, isEstimated: false });
  });

  test('with the most it can have cost, without counts', () => {
    const unknown = { ...answered, usage: reported({}) };
    expect(book(unknown)).toEqual({ cost: 777n, isEstimated: true });
    expect(book(failed)).toEqual({ cost: 777n, isEstimated: true });
  });

  test('with the counts of an answer that could not be used, where it has some', () => {
    expect(book({ ...failed, usage })).toEqual({ cost: 32n, isEstimated: false });
  });

  test('with nothing when it is certain that nothing was billed', () => {
    expect(book({ ...failed, billed: 'no' })).toEqual({ cost: 0n, isEstimated: false });
    expect(book({ ...failed, billed: 'no', usage })).toEqual({ cost: 0n, isEstimated: false });
  });
});
