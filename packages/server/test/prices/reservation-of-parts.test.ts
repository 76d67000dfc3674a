import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOf } from '../../src/calls/admission/bound.ts';
import { bookAttempt } from '../../src/calls/attempts/attempt-record.ts';
import type { RequestSize } from '../../src/calls/model/candidate.ts';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import type { AttemptOutcome } from '../../src/platforms/model/port.ts';
import { configOf } from '../config/load.ts';

// Over all prices of parts: no split of a response's tokens costs more than the reservation or the
// booking. An exact cost is the amount of a separate calculation.

const at = (tokens: number, usdPerMillion: number) =>
  BigInt(tokens) * BigInt(usdPerMillion) * 1_000_000n;

const usd = fc.integer({ min: 0, max: 50 });
const share = fc.integer({ min: 0, max: 1_000 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const names = ['imageInput', 'audioInput', 'reasoning', 'imageOutput', 'audioOutput'] as const;
type Name = (typeof names)[number];
const ofEach = <T>(value: fc.Arbitrary<T>) =>
  fc.record({
    ...{ imageInput: value, audioInput: value },
    ...{ reasoning: value, imageOutput: value, audioOutput: value },
  });

test('no split of the tokens costs more than is reserved, or than is booked', () => {
  const drawn = fc.record({
    ...{ input: usd, cached: usd, output: usd, parts: ofEach(maybe(usd)) },
    ...{ inputShare: share, cachedShare: share, outputShare: share },
    ...{ partShares: ofEach(share), isStated: ofEach(fc.boolean()), hasImages: fc.boolean() },
  });
  fc.assert(
    fc.property(drawn, (given) => {
      const entries = Object.entries(given.parts).filter(([, rate]) => rate !== undefined);
      const own = entries.map(([name, rate]) => [`${name}UsdPerMillion`, rate]);
      const row = {
        ...{ id: 'm', platform: 'p', images: true, inputUsdPerMillion: given.input },
        ...{ cachedInputUsdPerMillion: given.cached, outputUsdPerMillion: given.output },
        ...Object.fromEntries(own),
      };
      const config = configOf(`
company: acme
platforms: { p: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1", apiKey: none } }
models: [${JSON.stringify(row)}]
`);
      const clock = { now: () => 0, monotonic: () => 0, after: () => ({ cancel() {} }) };
      const model = createCatalog({ ...config, shipped: [], clock }).model('m');
      const size: RequestSize = {
        ...{ bodyBytes: 3_000, grownBytes: 0, imageBytes: 0, schemaBytes: 0, maxTokens: 300 },
        ...{ images: given.hasImages ? 1 : 0, hasTools: false },
      };
      const bound = boundOf(size, model);
      const of = (thousandths: number, most: number) => Math.floor((thousandths * most) / 1_000);
      const inputTokens = of(given.inputShare, bound.inputTokens) || 1;
      const outputTokens = of(given.outputShare, bound.outputTokens) || 1;
      let [freeInput, freeOutput] = [inputTokens, outputTokens];
      const split: Partial<Record<Name, number>> = {};
      for (const name of names) {
        const isInput = name.endsWith('Input');
        // A request without an image has none of its tokens.
        const isNone = name === 'imageInput' && !given.hasImages;
        const count = isNone ? 0 : of(given.partShares[name], isInput ? freeInput : freeOutput);
        if (isInput) freeInput -= count;
        else freeOutput -= count;
        split[name] = count;
      }
      const cachedInputTokens = of(given.cachedShare, freeInput);
      // Sound and pictures that nobody requested are always reported, or absent.
      const isOpen = (name: Name) => name === 'reasoning' || name === 'imageInput';
      const stated: Partial<Record<Name, number>> = {};
      for (const name of names)
        if (given.isStated[name] || !isOpen(name)) stated[name] = split[name] ?? 0;
      const { reasoning: reasoningTokens, ...others } = stated;
      const found = Object.fromEntries(Object.entries(others).filter(([, count]) => count > 0));
      const rateOf = (name: Name) => {
        return given.parts[name] ?? (name.endsWith('Input') ? given.input : given.output);
      };
      const truth =
        names.reduce((sum, name) => sum + at(split[name] ?? 0, rateOf(name)), 0n) +
        at(freeInput - cachedInputTokens, given.input) +
        at(cachedInputTokens, given.cached) +
        at(freeOutput, given.output);
      const outcome: AttemptOutcome = {
        ...{ kind: 'answered', content: [{ type: 'text', text: 'Hi.' }], finish: 'stop' },
        ...{ finishRaw: 'stop', requestId: undefined },
        usage: {
          ...{ inputTokens, cachedInputTokens, cacheWriteInputTokens: 0, outputTokens },
          ...{ reasoningTokens, ...found, doubts: [] },
        },
      };
      const candidate = { model, bound };
      const booked = bookAttempt({ candidate, outcome, startedAt: 0, tookMs: 0 });
      expect(bound.amountPicoUsd).toBeGreaterThanOrEqual(booked.cost);
      expect(bound.amountPicoUsd).toBeGreaterThanOrEqual(truth);
      expect(booked.cost).toBeGreaterThanOrEqual(truth);
      if (booked.basis === 'exact') expect(booked.cost).toBe(truth);
    }),
    { numRuns: 2_000 },
  );
});
