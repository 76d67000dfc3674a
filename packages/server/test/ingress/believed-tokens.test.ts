import { describe, expect, test } from 'vitest';
import { believedTokens, bookAttempt } from '../../src/calls/attempts/attempt-record.ts';
import type { Bound } from '../../src/calls/model/candidate.ts';
import type { CatalogModel } from '../../src/catalog/catalog.ts';
import type { AttemptOutcome, ReportedUsage } from '../../src/platforms/model/port.ts';

const price = {
  ...{ inputPicoUsd: 3n, cachedInputPicoUsd: 1n, cacheWriteInputPicoUsd: 4n, outputPicoUsd: 5n },
  version: 'v1',
};
const bound = { inputTokens: 1_000, outputTokens: 50, amountPicoUsd: 777n, price };
const none = undefined;
const impossible = [{ reason: 'impossible-counts', name: 'usage' }] as const;
const model: CatalogModel = {
  ...{ id: 'm', platform: 'p', upstreamModel: 'm', structuredOutput: 'json-schema' },
  ...{ images: false, imageTokensMax: 1, contextTokens: 8_000, isListed: true },
};

function reported(parts: Partial<ReportedUsage>): ReportedUsage {
  return {
    ...{ inputTokens: none, cachedInputTokens: none, cacheWriteInputTokens: none },
    ...{ outputTokens: none, reasoningTokens: none, doubts: [] },
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

describe('counts are accepted', () => {
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

describe('counts are not accepted', () => {
  test.each([
    { given: {} },
    { given: { inputTokens: 10 } },
    { given: { outputTokens: 5 } },
    { given: { inputTokens: 1_001, outputTokens: 5 } },
    { given: { inputTokens: 10, outputTokens: 101 } },
    { given: { inputTokens: 10, outputTokens: 5, doubts: impossible } },
  ])('$given', ({ given }) => {
    expect(believedTokens(reported(given), bound)).toBeUndefined();
  });
});

test('more thinking than output is limited to the output', () => {
  const given = { inputTokens: 10, outputTokens: 5, reasoningTokens: 9 };
  expect(believedTokens(reported(given), bound)?.reasoningTokens).toBe(5);
});

describe('an attempt is booked', () => {
  const usage = reported({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 });
  const answered: AttemptOutcome = {
    ...{ kind: 'answered', content: [], finish: 'stop', finishRaw: 'stop' },
    ...{ usage, requestId: none },
  };
  const failed: Extract<AttemptOutcome, { kind: 'failed' }> = {
    ...{ kind: 'failed', code: 'SERVER', billed: 'unknown', isRetryable: false },
    ...{ retryAfterMs: none, status: 502, requestId: none, usage: none, detail: '' },
  };
  const refused = { ...failed, billed: 'no' as const };
  const book = (outcome: AttemptOutcome, of: { bound?: Bound; model?: CatalogModel } = {}) => {
    const candidate = { model, bound, ...of };
    const { cost, basis } = bookAttempt({ outcome, candidate, startedAt: 0, tookMs: 0 });
    return { cost, basis };
  };

  test('with the cost of its counts', () => {
    expect(book(answered)).toEqual({ cost: 6n * 3n + 4n * 1n + 2n * 5n, basis: 'exact' });
  });

  test('with nothing if the call is free', () => {
    const free = { ...bound, price: none, amountPicoUsd: 0n };
    expect(book(answered, { bound: free })).toEqual({ cost: 0n, basis: 'exact' });
  });

  test('as an estimate if only the highest price is known', () => {
    const dearest = { ...bound, price: { ...price, isHighestKnown: true as const } };
    expect(book(answered, { bound: dearest })).toEqual({ cost: 32n, basis: 'estimated' });
  });

  test('as an estimate if the total exceeds the counts', () => {
    const surplus = {
      ...answered,
      usage: { ...usage, doubts: [{ reason: 'unexplained-total', name: 'usage' } as const] },
    };
    expect(book(surplus)).toEqual({ cost: 32n, basis: 'estimated' });
  });

  test('with its maximum cost, without counts', () => {
    const unknown = { ...answered, usage: reported({}) };
    expect(book(unknown)).toEqual({ cost: 777n, basis: 'estimated' });
    expect(book(failed)).toEqual({ cost: 777n, basis: 'estimated' });
  });

  describe('with the larger of that and the reported cost, if that cannot be true:', () => {
    test.each([
      ['far more input', { inputTokens: 2_000, outputTokens: 1 }, 6_005n],
      ['far more output', { inputTokens: 10, outputTokens: 101 }, 777n],
      ['far more output, dear', { inputTokens: 10, outputTokens: 1_000 }, 5_030n],
      ['no more than the context', { inputTokens: 9_999_999, outputTokens: 9_999_999 }, 64_000n],
      ['half of the counts', { inputTokens: 3_000 }, 9_000n],
      ['half of them, and few', { inputTokens: 30 }, 777n],
      ['a contradiction', { inputTokens: 1, outputTokens: 1, doubts: impossible }, 777n],
    ] as const)('%s', (_what, given, cost) => {
      const outcome = { ...answered, usage: reported(given) };
      expect(book(outcome)).toEqual({ cost, basis: 'estimated' });
    });

    test('within two million tokens without a known context', () => {
      const outcome = { ...answered, usage: reported({ inputTokens: 2 ** 52, outputTokens: 0 }) };
      const { contextTokens: _known, ...unknown } = model;
      expect(book(outcome, { model: unknown })).toEqual({
        ...{ cost: 6_000_000n, basis: 'estimated' },
      });
    });
  });

  test('with the counts of an unusable response, if it has some', () => {
    expect(book({ ...failed, usage })).toEqual({ cost: 32n, basis: 'exact' });
  });

  describe('when the platform rejected it,', () => {
    test('with nothing, unless the rejection reports a cost', () => {
      expect(book(refused)).toEqual({ cost: 0n, basis: 'free' });
      const zero = reported({ inputTokens: 0, outputTokens: 0 });
      expect(book({ ...refused, usage: zero })).toEqual({ cost: 0n, basis: 'free' });
      expect(book({ ...refused, usage: reported({}) })).toEqual({ cost: 0n, basis: 'free' });
    });

    test('with the cost that the rejection reports', () => {
      expect(book({ ...refused, usage })).toEqual({ cost: 32n, basis: 'exact' });
      const half = reported({ inputTokens: 10 });
      expect(book({ ...refused, usage: half })).toEqual({ cost: 30n, basis: 'estimated' });
    });
  });
});
