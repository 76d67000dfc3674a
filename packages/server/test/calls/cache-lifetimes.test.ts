import { describe, expect, test } from 'vitest';
import { boundOf } from '../../src/calls/admission/bound.ts';
import { bookAttempt } from '../../src/calls/attempts/attempt-record.ts';
import type { Bound } from '../../src/calls/model/candidate.ts';
import { usageForCaller } from '../../src/calls/model/result.ts';
import type { CatalogModel } from '../../src/catalog/catalog.ts';
import { readUsage } from '../../src/platforms/evidence/read-usage.ts';

const plain = {
  ...{ inputPicoUsd: 100n, cachedInputPicoUsd: 10n, cacheWriteInputPicoUsd: 125n },
  ...{ outputPicoUsd: 500n, version: 'v' },
};
const withHour = { ...plain, cacheWrite1hInputPicoUsd: 200n };
const model: CatalogModel = {
  ...{ id: 'm', platform: 'p', upstreamModel: 'm', structuredOutput: 'json-schema' },
  ...{ images: false, imageTokensMax: 1, isListed: true, price: withHour },
};
const size = {
  ...{ bodyBytes: 1_000, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 0 },
  ...{ hasTools: false, maxTokens: 50 },
};
const asked: Bound = boundOf({ ...size, cachesForLong: 'stated' }, model);

function book(usage: object, bound = asked) {
  const { cost, basis, tokens } = bookAttempt({
    outcome: {
      ...{ kind: 'answered', content: [], finish: 'stop', finishRaw: 'end_turn' },
      ...{ usage: readUsage({ usage }), requestId: undefined },
    },
    candidate: { model, bound },
    ...{ startedAt: 0, tookMs: 0 },
  });
  return { cost, basis, hour: tokens?.cacheWrite1hInputTokens, input: tokens?.inputTokens };
}

const usage = { input_tokens: 3, cache_creation_input_tokens: 10, output_tokens: 2 };
const split = (minutes: number, hour: number) => ({
  cache_creation: { ephemeral_5m_input_tokens: minutes, ephemeral_1h_input_tokens: hour },
});
const rest = 300n + 1_000n;

describe('a call that can cache input for an hour', () => {
  test('reserves all input at that rate, and another call does not', () => {
    const inputTokens = 1_000n + 1_024n;
    expect(asked.amountPicoUsd).toBe(inputTokens * 200n + 50n * 500n);
    expect(boundOf(size, model).amountPicoUsd).toBe(inputTokens * 125n + 50n * 500n);
  });

  test.each([
    ['both kinds at their rates', split(4, 6), rest + 500n + 1_200n, 'exact', 6],
    ['five minutes alone', split(10, 0), rest + 1_250n, 'exact', undefined],
    ['all at the dearer, where it is not said', {}, rest + 2_000n, 'estimated', 10],
    ['all at the dearer, where a part is not said', split(4, 5), rest + 2_000n, 'estimated', 10],
  ] as const)('is booked with %s', (_, more, cost, basis, hour) => {
    expect(book({ ...usage, ...more })).toEqual({ cost, basis, hour, input: 13 });
  });

  test('is booked with at least both parts, if the total is less', () => {
    expect(book({ ...usage, cache_creation_input_tokens: 7, ...split(4, 6) })).toEqual({
      ...{ cost: rest + 500n + 1_200n, basis: 'estimated', hour: 6, input: 13 },
    });
  });
});

describe('a call whose platform reports no lifetimes', () => {
  const written = { prompt_tokens_details: { cache_write_tokens: 10 } };
  const unsplit = { prompt_tokens: 13, completion_tokens: 2, ...written };

  test('is booked at the longer lifetime if the request has no other', () => {
    const bound = boundOf({ ...size, cachesForLong: 'all' }, model);
    const cost = rest + 2_000n;
    expect(book(unsplit, bound)).toEqual({ cost, basis: 'exact', hour: 10, input: 13 });
    expect(bound.amountPicoUsd).toBe(asked.amountPicoUsd);
  });

  test('is an estimate at the longer lifetime if the request has both', () => {
    const cost = rest + 2_000n;
    const bound = boundOf({ ...size, cachesForLong: 'some' }, model);
    expect(book(unsplit, bound)).toEqual({ cost, basis: 'estimated', hour: 10, input: 13 });
  });
});

describe('a call that did not request an hour', () => {
  const bound = boundOf(size, { ...model, price: plain });

  test('pays twice the input rate if the platform reports it, as an estimate', () => {
    expect(book({ ...usage, ...split(4, 6) }, bound)).toEqual({
      ...{ cost: rest + 500n + 1_200n, basis: 'estimated', hour: 6, input: 13 },
    });
  });

  test('is booked as usual without reported lifetimes', () => {
    const cost = rest + 1_250n;
    expect(book(usage, bound)).toEqual({ cost, basis: 'exact', hour: undefined, input: 13 });
  });
});

describe('turns of a response', () => {
  const turn = { input_tokens: 3, cache_creation_input_tokens: 10, output_tokens: 1 };
  const last = { input_tokens: 0, output_tokens: 1 };

  test('equal the total, and change nothing', () => {
    const iterations = [turn, last];
    expect(book({ ...usage, ...split(10, 0), iterations })).toMatchObject({ basis: 'exact' });
  });

  test.each([
    ['more than the total', [turn, turn], 26, 3n * 200n + 20n * 200n + 1_000n],
    ['less than the total', [turn], 13, rest + 1_250n],
    ['no counts', [{}], 13, rest + 1_250n],
  ] as const)('are booked as an estimate if their total is %s', (_, iterations, input, cost) => {
    const booked = book({ ...usage, ...split(10, 0), iterations });
    expect(booked).toMatchObject({ basis: 'estimated', input });
    expect(booked.cost >= cost).toBe(true);
  });
});

test('callers do not see which input is cached for an hour', () => {
  const tokens = {
    ...{ inputTokens: 3, cachedInputTokens: 0, cacheWriteInputTokens: 2 },
    ...{ outputTokens: 1, reasoningTokens: 0 },
  };
  expect(Object.keys(usageForCaller({ ...tokens, cacheWrite1hInputTokens: 1 }))).toEqual(
    Object.keys(tokens),
  );
});
