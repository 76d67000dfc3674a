import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundOf, maxTokensThatFit } from '../../src/calls/admission/bound.ts';
import type { RequestSize } from '../../src/calls/model/candidate.ts';
import type { CatalogModel } from '../../src/catalog/catalog.ts';
import { cost } from '../../src/catalog/cost.ts';
import { createSizeOf, numberGrowth } from '../../src/ingress/dialects/gateway/body/size.ts';
import { larger } from '../../src/lib/money.ts';

const price = {
  ...{ inputPicoUsd: 150n, cachedInputPicoUsd: 75n, cacheWriteInputPicoUsd: 187n },
  ...{ outputPicoUsd: 600n, version: 'v1' },
};

const model: CatalogModel = {
  ...{ id: 'm', platform: 'p', upstreamModel: 'm', structuredOutput: 'json-schema' },
  ...{ images: true, imageTokensMax: 20_000, isListed: true, maxOutputTokens: 4_000, price },
};

const size: RequestSize = {
  ...{ bodyBytes: 300, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 0 },
  ...{ hasTools: false, maxTokens: 100 },
};

describe('the maximum cost of a call, calculated by hand', () => {
  test.each([
    { what: 'a chat', of: {}, input: 1_324, output: 100, amount: 307_588n },
    {
      what: 'one token',
      of: { bodyBytes: 76, maxTokens: 1 },
      input: 1_100,
      output: 1,
      amount: 206_300n,
    },
    {
      what: 'numbers that grow',
      of: { grownBytes: 50 },
      input: 1_374,
      output: 100,
      amount: 316_938n,
    },
    { what: 'a schema', of: { schemaBytes: 50 }, input: 1_374, output: 100, amount: 316_938n },
    {
      ...{ what: 'tools', of: { schemaBytes: 50, hasTools: true } },
      ...{ input: 1_886, output: 100, amount: 412_682n },
    },
    {
      ...{ what: 'two images', of: { bodyBytes: 9_300, imageBytes: 9_000, images: 2 } },
      ...{ input: 41_324, output: 100, amount: 7_787_588n },
    },
    {
      what: 'the model at its most',
      of: { maxTokens: 4_000 },
      input: 1_324,
      output: 4_000,
      amount: 2_647_588n,
    },
    {
      what: 'more than the model can',
      of: { maxTokens: 1_000_000 },
      input: 1_324,
      output: 4_000,
      amount: 2_647_588n,
    },
  ])('$what', ({ of, input, output, amount }) => {
    expect(boundOf({ ...size, ...of }, model)).toEqual({
      inputTokens: input,
      outputTokens: output,
      amountPicoUsd: amount,
      price,
      hasImages: 'images' in of ? true : undefined,
    });
  });

  test('the most expensive kind of input counts', () => {
    const dearest = (rates: object) =>
      boundOf({ ...size, maxTokens: 1 }, { ...model, price: { ...price, ...rates } }).amountPicoUsd;
    expect(dearest({ inputPicoUsd: 1_000n })).toBe(1_324_600n);
    expect(dearest({ cachedInputPicoUsd: 1_000n })).toBe(1_324_600n);
    expect(dearest({ cacheWriteInputPicoUsd: 1_000n })).toBe(1_324_600n);
  });

  test('without a price nothing is reserved, without a maximum the requested tokens', () => {
    const { price: _, ...unpriced } = model;
    expect(boundOf(size, unpriced).amountPicoUsd).toBe(0n);
    const { maxOutputTokens: __, ...unlimited } = model;
    expect(boundOf({ ...size, maxTokens: 9_999 }, unlimited).outputTokens).toBe(9_999);
  });
});

describe('a model on a responses path, which accepts no request for fewer than 16 tokens', () => {
  const families = ['v1-responses', 'openai-v1-responses'] as const;
  test.each(families)('on %s is reserved for the requested tokens', (path) => {
    const asked = (maxTokens: number) =>
      boundOf({ ...size, maxTokens }, { ...model, speaks: [path] });
    const held = { inputTokens: 1_324, outputTokens: 16, amountPicoUsd: 257_188n };
    expect(asked(1)).toEqual({ ...held, price });
    expect(asked(15)).toEqual(asked(16));
    expect(asked(17).outputTokens).toBe(17);
    const small = { ...model, speaks: [path], maxOutputTokens: 8 } as const;
    expect(boundOf(size, small).outputTokens).toBe(16);
  });

  test('fits no maxTokens where 16 do not fit', () => {
    const onResponses = { ...model, speaks: ['v1-responses'] } as const;
    expect(fitting(onResponses, mostOf(onResponses, 16))).toBe(16);
    // Fewer digits are fewer bytes.
    expect(fitting(onResponses, mostOf(onResponses, 16) - 1n)).toBe(9);
    expect(fitting(onResponses, mostOf(onResponses, 1) - 1n)).toBe(0);
  });

  test('other paths request one token', () => {
    const families = ['v1-chat', 'openai-v1-chat', 'anthropic-v1-messages'] as const;
    for (const path of families) {
      expect(boundOf({ ...size, maxTokens: 1 }, { ...model, speaks: [path] }).outputTokens).toBe(1);
    }
  });
});

describe('the maxTokens that fit', () => {
  const most = (maxTokens: number) => mostOf(model, maxTokens);

  test.each([
    { what: 'the most of 1', left: most(1), fits: 1 },
    { what: 'a little more', left: most(2) - 1n, fits: 1 },
    { what: 'the most of 2', left: most(2), fits: 2 },
    { what: 'less than the most of 1', left: most(1) - 1n, fits: 0 },
    { what: 'the input alone', left: 246_840n, fits: 0 },
    { what: 'nothing', left: 0n, fits: 0 },
    { what: 'a debt', left: -5n, fits: 0 },
  ])('$fits into $what', ({ left, fits }) => {
    expect(fitting(model, left)).toBe(fits);
  });

  test('do not exist for a model with free output and too expensive input', () => {
    expect(fitting({ ...model, price: { ...price, outputPicoUsd: 0n } }, 1n)).toBe(0);
  });

  test('fit, and one more does not, for any remaining budget', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: most(4_000) - 1n }), (left) => {
        const fits = fitting(model, left);
        if (fits > 0) expect(most(fits)).toBeLessThanOrEqual(left);
        expect(most(fits + 1)).toBeGreaterThan(left);
      }),
    );
  });

  test('fit for any answering model, and one more does not', () => {
    const cheapOutput = { ...model, price: { ...price, inputPicoUsd: 900n, outputPicoUsd: 60n } };
    const both = [model, cheapOutput];
    const mostOfBoth = (maxTokens: number) =>
      both.map((each) => mostOf(each, maxTokens)).reduce(larger);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: mostOfBoth(4_000) - 1n }), (left) => {
        const candidates = both.map((each) => ({ model: each, bound: boundOf(size, each) }));
        const fits = maxTokensThatFit(size, candidates, (amount) => amount <= left);
        if (fits > 0) expect(mostOfBoth(fits)).toBeLessThanOrEqual(left);
        expect(mostOfBoth(fits + 1)).toBeGreaterThan(left);
      }),
    );
  });
});

/** The maximum cost of a request for this many tokens. The digits of the number count as bytes. */
function mostOf(of: CatalogModel, maxTokens: number): bigint {
  const bodyBytes = size.bodyBytes - '100'.length + String(maxTokens).length;
  return boundOf({ ...size, bodyBytes, maxTokens }, of).amountPicoUsd;
}

function fitting(of: CatalogModel, left: bigint): number {
  const candidates = [{ model: of, bound: boundOf(size, of) }];
  return maxTokensThatFit(size, candidates, (amount) => amount <= left);
}

test('a body counts in bytes: no images, its schema twice, at its normalized maximum', () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAABBBB' } as const;
  const measured = createSizeOf()({
    text: '[1e3,"1e20"]',
    bodyBytes: 500,
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
      { role: 'user', content: [image] },
      { role: 'assistant', content: 'a' },
    ],
    maxTokens: 5,
    schemaText: '{"ü":1}',
    hasTools: true,
  });
  expect(measured).toEqual({
    ...{ bodyBytes: 500, grownBytes: 1, imageBytes: 16, images: 2, schemaBytes: 9 },
    ...{ hasTools: true, maxTokens: 5 },
  });
});

describe('rewritten numbers', () => {
  test.each([
    ['{"a":1e20}', 17],
    ['[1E20,-1e+20]', 17 + 16],
    ['[1.5e-6, 100, 1000]', 3],
    ['{"1e20":"1e20"}', 0],
    ['"\\"1e20,1e20"', 0],
    ['["\\\\",1e20]', 17],
    ['{"a":123456789012345678901234567890}', 0],
  ])('%s grows by %i', (text, growth) => {
    expect(numberGrowth(text)).toBe(growth);
  });

  const digits = fc.stringMatching(/^[1-9][0-9]{0,25}$/);
  const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,25}$/));
  const exponent = fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,2}$/));
  const literal = fc
    .tuple(fc.constantFrom('', '-'), fc.oneof(fc.constant('0'), digits), fraction, exponent)
    .map((parts) => parts.join(''));

  test('never take more bytes than the received and the added ones', () => {
    fc.assert(
      fc.property(fc.array(literal), (literals) => {
        const text = `{"input":[${literals.join(',')}]}`;
        const anew = JSON.stringify(JSON.parse(text));
        expect(anew.length).toBeLessThanOrEqual(text.length + numberGrowth(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a model with higher rates for a large input', () => {
  const step = {
    ...{ inputPicoUsd: 300n, cachedInputPicoUsd: 150n, cacheWriteInputPicoUsd: 374n },
    ...{ outputPicoUsd: 900n, aboveInputTokens: 4_999 },
  };
  // Above the second step it is cheaper than between both.
  const last = { ...step, inputPicoUsd: 100n, outputPicoUsd: 1n, aboveInputTokens: 7_000 };
  const steps = [step, last];
  const stepped: CatalogModel = { ...model, price: { ...price, steps } };

  test('is limited by the ordinary rates if its input cannot reach the step', () => {
    const below = { ...size, bodyBytes: 4_999 - 1_024 };
    expect(boundOf(below, stepped)).toMatchObject({ ...boundOf(below, model), price });
    const at = { ...size, bodyBytes: 5_000 - 1_024 };
    expect(boundOf(at, stepped).amountPicoUsd).toBe(5_000n * 374n + 100n * 900n);
  });

  test('never exceeds its maximum cost, and the reported maxTokens fit', () => {
    const tokens = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(tokens, tokens, fc.nat({ max: 1_000 }), (bodyBytes, used, left) => {
        const bound = boundOf({ ...size, bodyBytes }, stepped);
        const inputTokens = Math.min(used, bound.inputTokens);
        const usage = {
          ...{ inputTokens, cachedInputTokens: 0, cacheWriteInputTokens: inputTokens },
          ...{ outputTokens: bound.outputTokens, reasoningTokens: 0 },
        };
        expect(cost(usage, { ...price, steps })).toBeLessThanOrEqual(bound.amountPicoUsd);
        const budget = bound.amountPicoUsd - BigInt(left);
        const sent = { ...size, bodyBytes };
        const candidates = [{ model: stepped, bound }];
        const maxTokens = maxTokensThatFit(sent, candidates, (amount) => amount <= budget);
        if (maxTokens === 0) return;
        const digits = String(maxTokens).length - '100'.length;
        const resent = { ...sent, bodyBytes: bodyBytes + digits, maxTokens };
        expect(boundOf(resent, stepped).amountPicoUsd).toBeLessThanOrEqual(budget);
      }),
    );
  });
});
