import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOf } from '../../src/calls/admission/bound.ts';
import { bookAttempt } from '../../src/calls/attempts/attempt-record.ts';
import type { RequestSize } from '../../src/calls/model/candidate.ts';
import { createCatalog, priceProblems } from '../../src/catalog/create-catalog.ts';
import type { Doubt } from '../../src/domain/doubt.ts';
import type { AttemptOutcome } from '../../src/platforms/model/port.ts';
import { configOf } from '../config/load.ts';

// Over all dimensions of a price: no response costs more than its call has reserved. Each is booked
// at the amount that a separate calculation gives for the row.

const clock = {
  now: () => Date.UTC(2026, 10, 27),
  monotonic: () => 0,
  after: () => ({ cancel() {} }),
};

/** Hundredths, so three factors of a whole rate are whole pico-USD. */
const factor = fc.integer({ min: 1, max: 999 });
/** No product of a row is above the highest rate, with a step, a tier, a region and a contract. */
const usd = fc.integer({ min: 0, max: 25 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const stepFactors = fc.record({
  ...{ input: fc.integer({ min: 1, max: 4 }), output: fc.integer({ min: 1, max: 4 }) },
  ...{ cachedInput: fc.integer({ min: 1, max: 4 }), cacheWrite: fc.integer({ min: 1, max: 4 }) },
});
const tool = fc.record({
  usdPerThousand: fc.integer({ min: 0, max: 40 }),
  maxUses: maybe(fc.integer({ min: 0, max: 20 })),
});

const rows = fc.record({
  ...{ input: usd, cached: usd, write: usd, write1h: maybe(usd), output: usd },
  steps: fc.array(stepFactors, { maxLength: 4 }),
  tiers: fc.record({ flex: factor, priority: factor, fast: factor }),
  regions: fc.record({ us: factor, eu: factor }),
  /** Millionths of a USD. */
  perRequest: maybe(fc.integer({ min: 0, max: 20_000 })),
  tools: maybe(fc.record({ web_search: tool, x_search: tool })),
  priceFactor: maybe(factor),
});
type Row = typeof rows extends fc.Arbitrary<infer R> ? R : never;

interface Vendor {
  readonly kind: string;
  readonly tier?: 'flex' | 'priority';
  readonly region?: string;
}

/** Platforms, each with a tier and a region or without. */
const vendors: readonly Vendor[] = [
  { kind: 'openai-compatible' },
  { kind: 'openai' },
  { kind: 'openai', tier: 'flex' },
  { kind: 'openai', tier: 'priority', region: 'eu' },
  { kind: 'anthropic' },
  { kind: 'anthropic', region: 'us' },
  { kind: 'anthropic', region: 'none' },
  { kind: 'anthropic', tier: 'priority' },
  { kind: 'anthropic', tier: 'priority', region: 'none' },
];

/** A share of a maximum, in thousandths. */
const share = fc.integer({ min: 0, max: 1_000 });
const uses = fc.record({
  ...{ input: share, cached: share, written: share, forHour: share, output: share },
  ...{ web: share, x: share, tier: fc.nat(9), region: fc.nat(9) },
});
type Uses = typeof uses extends fc.Arbitrary<infer U> ? U : never;
const of = (thousandths: number, most: number) => Math.floor((thousandths * most) / 1_000);

function yamlOf(vendor: Vendor, row: Row): string {
  const base = vendor.kind === 'openai-compatible' ? 'baseUrl: "http://127.0.0.1:1", ' : '';
  const { tier, region } = vendor;
  const platform = { kind: vendor.kind, apiKey: 'none', tier, region };
  const more = row.priceFactor === undefined ? {} : { priceFactor: decimal(row.priceFactor) };
  const steps = row.steps.map((factors, index) => ({ tokens: 1_000 * (index + 1), factors }));
  const model = {
    ...{ id: 'm', platform: 'p' },
    ...{ inputUsdPerMillion: row.input, cachedInputUsdPerMillion: row.cached },
    cacheWriteUsdPerMillion: { '5m': row.write, '1h': row.write1h },
    outputUsdPerMillion: row.output,
    ...(steps.length > 0 && { aboveInputTokens: steps }),
    tiers: decimals(row.tiers),
    regions: decimals(row.regions),
    ...(row.perRequest !== undefined && {
      perRequestUsd: `0.${String(row.perRequest).padStart(6, '0')}`,
    }),
    ...(row.tools !== undefined && { toolUses: row.tools }),
  };
  return `
company: acme
platforms: { p: { ${base}${JSON.stringify({ ...platform, ...more }).slice(1, -1)} } }
models: [${JSON.stringify(model)}]
`;
}

function decimal(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

function decimals(factors: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(factors).map(([word, value]) => [word, decimal(value)]));
}

interface Answer {
  /** A word of the row; undefined for none. */
  readonly tier: 'flex' | 'priority' | 'fast' | 'standard' | undefined;
  readonly region: 'us' | 'eu' | undefined;
}

/**
 * A vendor's possible reports: nothing, the requested value, and values that a request leaves open.
 */
function answerOf({ kind, tier, region }: Vendor, given: Uses): Answer {
  const pick = <T>(list: readonly T[], at: number) => list[at % list.length];
  const isOpen = kind === 'openai-compatible';
  const tiers = isOpen ? (['flex', 'priority', 'fast'] as const) : [];
  const asked = tier === undefined ? [] : ([tier, 'standard'] as const);
  const places = isOpen || region === 'none' ? (['us', 'eu'] as const) : [];
  const own = kind === 'anthropic' && region === 'us' ? (['us'] as const) : [];
  return {
    tier: pick([undefined, ...tiers, ...asked], given.tier),
    region: pick([undefined, ...places, ...own], given.region),
  };
}

interface Counts {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
  readonly cacheWrite1hInputTokens: number;
  readonly outputTokens: number;
  readonly web: number;
  readonly x: number;
}

function countsOf(
  given: Uses,
  parts: { vendor: Vendor; row: Row; most: [number, number] },
): Counts {
  const [inputMax, outputMax] = parts.most;
  const inputTokens = of(given.input, inputMax) || 1;
  const cachedInputTokens = of(given.cached, inputTokens);
  const cacheWriteInputTokens = of(given.written, inputTokens - cachedInputTokens);
  const { tools, write1h } = parts.row;
  const usual = parts.vendor.kind === 'openai-compatible' ? 10 : 0;
  const usesOf = (name: 'web_search' | 'x_search', thousandths: number) =>
    tools === undefined ? 0 : of(thousandths, tools[name].maxUses ?? usual);
  return {
    ...{ inputTokens, cachedInputTokens, cacheWriteInputTokens },
    cacheWrite1hInputTokens: write1h === undefined ? 0 : of(given.forHour, cacheWriteInputTokens),
    outputTokens: of(given.output, outputMax) || 1,
    ...{ web: usesOf('web_search', given.web), x: usesOf('x_search', given.x) },
  };
}

/** Pico-USD, by a separate calculation. */
function oracle(vendor: Vendor, row: Row, { tier, region }: Answer, counts: Counts): bigint {
  const step = row.steps.filter((_, index) => counts.inputTokens > 1_000 * (index + 1)).at(-1);
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = counts;
  const long = counts.cacheWrite1hInputTokens;
  const parts: readonly (readonly [tokens: number, usd: number, times: number | undefined])[] = [
    [inputTokens - cachedInputTokens - cacheWriteInputTokens, row.input, step?.input],
    [cachedInputTokens, row.cached, step?.cachedInput],
    [cacheWriteInputTokens - long, row.write, step?.cacheWrite],
    [long, row.write1h ?? 0, step?.cacheWrite],
    [outputTokens, row.output, step?.output],
  ];
  let ofTokens = 0n;
  for (const [tokens, usdPerMillion, times = 1] of parts)
    ofTokens += BigInt(tokens) * BigInt(usdPerMillion) * BigInt(times) * 1_000_000n;
  const tierFactor = (word: Answer['tier']) =>
    word === undefined || word === 'standard' ? 100 : row.tiers[word];
  const asked = tierFactor(vendor.tier);
  // No report about a requested tier: the more expensive of both.
  const isSilent = vendor.tier !== undefined && tier === undefined;
  const ofTier = isSilent ? Math.max(asked, 100) : tierFactor(tier);
  const own = vendor.region === 'us' || vendor.region === 'eu' ? vendor.region : undefined;
  const place = region ?? own;
  const ofRegion = place === undefined ? 100 : row.regions[place];
  const contract = BigInt(row.priceFactor ?? 100);
  const priced = (ofTokens * BigInt(ofTier) * BigInt(ofRegion) * contract) / 1_000_000n;
  const usdPerThousand = (name: 'web_search' | 'x_search') =>
    BigInt(row.tools?.[name].usdPerThousand ?? 0) * 1_000_000_000n;
  const flat =
    BigInt(row.perRequest ?? 0) * 1_000_000n +
    BigInt(counts.web) * usdPerThousand('web_search') +
    BigInt(counts.x) * usdPerThousand('x_search');
  return priced + (flat * contract) / 100n;
}

function doubtsOf({ tier, region }: Answer, { web, x }: Counts): readonly Doubt[] {
  const used = (word: string, count: number): Doubt[] =>
    count === 0 ? [] : [{ reason: 'server-tool', name: `usage.${word}`, tool: word, uses: count }];
  return [
    ...(tier === undefined
      ? []
      : [{ reason: 'other-tier', name: 'service_tier', word: tier } as const]),
    ...(region === undefined
      ? []
      : [{ reason: 'other-region', name: 'inference_geo', word: region } as const]),
    ...used('web_search', web),
    ...used('x_search', x),
  ];
}

test.each(vendors)('no response costs more than is reserved: %j', (vendor) => {
  fc.assert(
    fc.property(rows, uses, fc.nat(4_000), fc.integer({ min: 1, max: 500 }), (...drawn) => {
      const [row, given, bodyBytes, maxTokens] = drawn;
      const config = configOf(yamlOf(vendor, row));
      expect(priceProblems({ ...config, shipped: [] })).toEqual([]);
      const model = createCatalog({ ...config, shipped: [], clock }).model('m');
      const size: RequestSize = {
        ...{ bodyBytes, grownBytes: 0, imageBytes: 0, images: 0, schemaBytes: 0, maxTokens },
        hasTools: false,
        ...(row.write1h !== undefined && { cachesForLong: 'stated' as const }),
      };
      const bound = boundOf(size, model);
      const answer = answerOf(vendor, given);
      const most: [number, number] = [bound.inputTokens, bound.outputTokens];
      const counts = countsOf(given, { vendor, row, most });
      const { web: _, x: __, ...tokens } = counts;
      const usage = { ...tokens, reasoningTokens: 0, doubts: doubtsOf(answer, counts) };
      const outcome: AttemptOutcome = {
        ...{ kind: 'answered', content: [{ type: 'text', text: 'Hi.' }], finish: 'stop' },
        ...{ finishRaw: 'stop', usage, requestId: undefined },
      };
      const parts = { candidate: { model, bound }, outcome, startedAt: 0, tookMs: 0 };
      const { cost, basis } = bookAttempt(parts);
      expect(cost).toBe(oracle(vendor, row, answer, counts));
      expect(bound.amountPicoUsd).toBeGreaterThanOrEqual(cost);
      const isTierSilent = vendor.tier !== undefined && answer.tier === undefined;
      const isRegionSilent =
        vendor.kind === 'anthropic' && vendor.region === 'us' && answer.region === undefined;
      expect(basis).toBe(isTierSilent || isRegionSilent ? 'estimated' : 'exact');
    }),
    { numRuns: 300 },
  );
});
