import fc from 'fast-check';
import type { Tokens } from '../../src/books/rows.ts';
import { cost } from '../../src/catalog/cost.ts';
import { priceOf } from '../../src/catalog/price.ts';
import type { ModelRates } from '../../src/domain/rates.ts';

// Some months of calls of every kind of price and of cost, and of operator actions.

/** The result of an attempt. `more`, `less`: it is booked with another cost than its counts. */
export interface AttemptStep {
  readonly kind: (typeof attemptKinds)[number];
  readonly model: string;
  readonly platform: string | undefined;
  readonly price: keyof typeof prices | 'none' | 'forgotten' | 'dearest';
  readonly tokens: Tokens;
  readonly searches: number;
  readonly amount: bigint;
}
const attemptKinds = ['exact', 'exact', 'exact', 'estimated', 'free', 'more', 'less'] as const;

export type FocusStep =
  | { readonly kind: 'call'; readonly app: string; readonly attempts: readonly AttemptStep[] }
  | { readonly kind: 'lost'; readonly app: string; readonly amount: bigint }
  | { readonly kind: 'correct'; readonly ago: number; readonly amount: bigint }
  | { readonly kind: 'settle'; readonly ago: number; readonly share: number }
  | { readonly kind: 'reprice'; readonly ago: number; readonly amount: bigint }
  | { readonly kind: 'prune' }
  | {
      readonly kind: 'close';
      readonly app: string;
      readonly daysAgo: number;
      readonly amount: bigint;
    }
  | { readonly kind: 'look' }
  | { readonly kind: 'wait'; readonly hours: number };

const rates: ModelRates = {
  ...{ inputPicoUsd: 2_000_000n, cachedInputPicoUsd: 200_001n, outputPicoUsd: 10_000_003n },
  ...{ cacheWriteInputPicoUsd: 2_500_000n, cacheWrite1hInputPicoUsd: 4_000_000n },
};
const stepped: ModelRates = {
  ...rates,
  steps: [
    { ...rates, inputPicoUsd: 3_000_000n, aboveInputTokens: 500 },
    { ...rates, inputPicoUsd: 3_000_000n, outputPicoUsd: 11n, aboveInputTokens: 900 },
  ],
};
const nothing: ModelRates = {
  ...{ inputPicoUsd: 0n, cachedInputPicoUsd: 0n, outputPicoUsd: 0n, cacheWriteInputPicoUsd: 0n },
};
const flat: ModelRates = {
  ...rates,
  flat: {
    perRequestPicoUsd: 5_000_000_000n,
    toolUses: { web_search: { picoUsd: 10_000_000_001n, usesMax: 9 } },
  },
};
const terms = {
  ...{ tier: 'flex', region: 'eu', isRegionRequested: false },
  ...{ tiers: { flex: 500_000n, priority: 2_000_000n }, regions: { eu: 1_100_000n } },
};

/** Prices by their special property. */
export const prices = {
  plain: priceOf('plain', rates),
  stepped: priceOf('stepped', stepped),
  zero: priceOf('zero', nothing),
  flat: priceOf('flat', flat),
  tiered: priceOf('tiered', rates, terms),
};

/** The cost of an attempt's counts at its price; undefined without a price. */
export function countedCost({ price, tokens, searches }: AttemptStep): bigint | undefined {
  if (price === 'none' || price === 'forgotten' || price === 'dearest') return undefined;
  return cost({ ...tokens, toolUses: { web_search: searches } }, prices[price]);
}

const tokens: fc.Arbitrary<Tokens> = fc
  .record({
    fresh: fc.nat(700),
    cached: fc.nat(300),
    written: fc.nat(200),
    forHour: fc.option(fc.nat(200), { nil: undefined }),
    outputTokens: fc.nat(300),
  })
  .map(({ fresh, cached, written, forHour, outputTokens }) => ({
    inputTokens: fresh + cached + written,
    ...{ cachedInputTokens: cached, cacheWriteInputTokens: written, outputTokens },
    ...{ reasoningTokens: 0, cacheWrite1hInputTokens: forHour && Math.min(forHour, written) },
  }));
const amount = fc.bigInt(0n, 90_000_000_000n);
const app = fc.constantFrom('search', 'tutor');
const ago = fc.nat(9);
const attempt: fc.Arbitrary<AttemptStep> = fc.record({
  kind: fc.constantFrom(...attemptKinds),
  model: fc.constantFrom('sim-echo', '@cf/meta/llama', 'odd,"=model'),
  platform: fc.constantFrom('sandbox', 'claude', undefined),
  price: fc.constantFrom(
    ...(['plain', 'stepped', 'zero', 'flat', 'tiered', 'none', 'forgotten', 'dearest'] as const),
  ),
  tokens,
  searches: fc.nat(3),
  amount,
});
const call = fc.record({
  kind: fc.constant('call'),
  app,
  attempts: fc.oneof(
    fc.array(attempt, { minLength: 1, maxLength: 1 }),
    fc.array(attempt, { minLength: 0, maxLength: 3 }),
  ),
});

export const focusSteps: fc.Arbitrary<readonly FocusStep[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: call },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lost'), app, amount }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('correct'), ago, amount }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle'), ago, share: fc.nat(100) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reprice'), ago, amount }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('prune') }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('close'), app, daysAgo: fc.nat(40), amount }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('look') }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('wait'), hours: fc.nat(400) }) },
  ),
  { minLength: 4, maxLength: 40 },
);
