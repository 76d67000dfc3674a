import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { describe, expect, test } from 'vitest';
import { ratesFor } from '../../src/catalog/cost.ts';
import { genaiPricesName, loadProviderPrices } from '../../src/catalog/genai-prices.ts';
import { type ModelRow, modelsOfRows, ratesOf } from '../../src/catalog/model-row.ts';
import { anthropicModels } from '../../src/catalog/models/anthropic.ts';
import { bedrockMantleModels } from '../../src/catalog/models/bedrock-mantle.ts';
import { openAiModels } from '../../src/catalog/models/openai.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import type { ShippedModel } from '../../src/catalog/shipped-model.ts';
import type { PlatformKind } from '../../src/domain/platform-kinds/platform-kinds.ts';
import { allRates, type Rates } from '../../src/domain/rates.ts';
import { isUtcDay } from '../../src/lib/clock.ts';
import { parseUsdPerMillion } from '../../src/lib/money.ts';
import { configOf } from '../config/load.ts';

const files = [
  ['openai', 'openai', openAiModels],
  ['anthropic', 'anthropic', anthropicModels],
  ['bedrock-mantle', 'aws', bedrockMantleModels],
] as const;

const rows = files.flatMap(([kind, provider, models]) =>
  models.map((row) => [`${kind} ${row.id}`, { kind, provider, row }] as const),
);

const platforms = {
  openai: { kind: 'openai', apiKey: 'test-key' },
  anthropic: { kind: 'anthropic', apiKey: 'test-key' },
  'bedrock-mantle': { kind: 'bedrock-mantle', region: 'us-east-1', apiKey: 'test-key' },
};

/** 2026-11-21, the date of the npm package. */
const packageReadMs = Date.UTC(2026, 10, 21);
/** 2026-11-27, the date of the newest price. */
const readMs = Date.UTC(2026, 10, 27);

test('each id is used once', () => {
  const ids = [...shippedModels(), ...simulatorRows()].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(rows)('%s has exact prices, a day and a source', (_name, { kind, row }) => {
  const { prices, contextTokens = 0 } = shippedOf(kind, row);
  for (const { fromDay = '', source, steps = [], ...rates } of prices) {
    expect(new Date(`${fromDay}T00:00:00Z`).toISOString()).toContain(fromDay);
    expect(Date.parse(fromDay)).toBeLessThanOrEqual(readMs);
    expect(source).toMatch(/https:\/\/[a-z0-9.-]+\/\S+$/);
    expectSoundRates(rates);
    // Embeddings have no output.
    if (row.kind === 'embeddings') expect(rates.outputPicoUsd).toBe(0n);
    else expect(rates.outputPicoUsd).toBeGreaterThan(rates.inputPicoUsd);
    for (const { aboveInputTokens, ...long } of steps) {
      expectSoundRates(long);
      expect(long.outputPicoUsd).toBeGreaterThan(long.inputPicoUsd);
      expect(aboveInputTokens + 1).toBeLessThan(contextTokens);
      const isNoLower = allRates(long).every(
        (rate, index) => rate >= (allRates(rates)[index] ?? 0n),
      );
      expect(isNoLower).toBe(true);
    }
  }
  expect(row.prices.map(({ from }) => from)).toEqual(row.prices.map(({ from }) => from).toSorted());
  expect(prices[0]?.inputPicoUsd).toBe(parseUsdPerMillion(row.prices[0].inputUsdPerMillion));
});

function expectSoundRates(rates: Rates) {
  const { inputPicoUsd: input, cachedInputPicoUsd: cached, cacheWriteInputPicoUsd: write } = rates;
  for (const amount of [input, cached, write]) expect(amount).toBeGreaterThan(0n);
  expect(cached).toBeLessThanOrEqual(input);
  expect(write).toBeGreaterThanOrEqual(input);
}

test.each(rows)('%s pasted into the configuration is the same model', (_name, { kind, row }) => {
  const config = {
    company: 'acme',
    platforms: { [kind]: platforms[kind] },
    models: [
      {
        ...{ ...row, platform: kind },
        prices: row.prices.map(({ source: _source, ...price }) => price),
      },
    ],
  };
  const { platformKind, prices, ...shipped } = shippedOf(kind, row);
  const read = prices.map(({ source: _source, readDay: _readDay, ...price }) => price);
  expect(configOf(JSON.stringify(config)).models).toEqual([
    { ...shipped, platform: platformKind, prices: read },
  ]);
});

test.each(rows)('%s has sound limits, and paths where its platform has several', (...args) => {
  const [, { kind, row }] = args;
  expect(row.contextTokens).toBeGreaterThanOrEqual(row.kind === 'embeddings' ? 8_191 : 32_000);
  expect(row.maxOutputTokens ?? 1).toBeLessThan(row.contextTokens);
  const isClaude = row.id.includes('claude');
  if (kind === 'bedrock-mantle') {
    expect(row.speaks?.includes('anthropic-v1-messages')).toBe(isClaude);
  } else if (kind === 'openai' && row.kind === undefined) {
    // The endpoints on the models' pages.
    const isOnResponsesOnly = /-pro\b|codex|deep-research/.test(row.id);
    expect(row.speaks).toEqual(isOnResponsesOnly ? ['v1-responses'] : ['v1-chat', 'v1-responses']);
  } else expect(row.speaks).toBeUndefined();
});

describe('a row with the package as its source has the package’s price', () => {
  const named = rows.filter(([, { row }]) => priceOf(row).source.startsWith(genaiPricesName));

  test.each(named)('%s', async (_name, { provider, row }) => {
    const prices = await loadProviderPrices(provider);
    expect(priceOf(row).source).toContain(`${genaiPricesName}, ${provider}: `);
    const found = prices?.find(row.id, packageReadMs);
    if (found?.kind !== 'found') expect.fail('the package has the model');
    expect(ratesOf(found.price)).toEqual(ratesOf(priceOf(row)));
  });

  test('and such rows of every kind exist', () => {
    expect(named.length).toBeGreaterThan(30);
  });
});

test.each(rows.filter(([, { row }]) => priceOf(row).aboveInputTokens !== undefined))(
  '%s costs more above its step, and not at it',
  (_name, { kind, row }) => {
    const rates = shippedOf(kind, row).prices.at(-1);
    if (rates === undefined) expect.fail('the row has a price');
    const step = row.id.includes('claude') ? 100_000 : 272_000;
    expect(ratesFor(rates, step)).toBe(rates);
    expect(ratesFor(rates, step + 1)).toBe(rates.steps?.[0]);
  },
);

test('prices that changed on a known day apply from that day on', async () => {
  const dated = rows.filter(([, { row }]) => priceOf(row).from < '2026-11-21');
  expect(dated.map(([name]) => name)).toContain('openai gpt-5.6-luna');
  for (const [, { provider, row }] of dated) {
    const { from } = priceOf(row);
    const startMs = Date.parse(`${from}T00:00:00Z`);
    const prices = await loadProviderPrices(provider);
    const { inputUsdPerMillion } = priceOf(row);
    expect(prices?.find(row.id, startMs)).toMatchObject({ price: { inputUsdPerMillion } });
    const before = prices?.find(row.id, startMs - 1);
    expect(before).not.toEqual(prices?.find(row.id, startMs));
  }
});

test('a changed price keeps the one before it for calls of that time', () => {
  const changed = rows.filter(([, { row }]) => row.prices.length > 1);
  expect(changed.map(([name]) => name)).toEqual([
    ...['bedrock-mantle openai.gpt-5.5', 'bedrock-mantle openai.gpt-5.4'],
    ...['bedrock-mantle openai.gpt-oss-20b', 'bedrock-mantle openai.gpt-oss-safeguard-20b'],
  ]);
});

test.each(rows.filter(([, { row }]) => row.retires !== undefined))(
  '%s ends on a valid day',
  (_name, { row }) => {
    const { retires = '' } = row;
    expect(isUtcDay(retires)).toBe(true);
    // Remove a row that retired before this date.
    expect(retires > '2026-10-01').toBe(true);
  },
);

test('every built-in price has the day on which it was last read', () => {
  for (const { prices } of shippedModels()) {
    for (const { readDay = '', fromDay = '' } of prices) {
      expect(isUtcDay(readDay)).toBe(true);
      expect(readDay >= fromDay).toBe(true);
    }
  }
});

test('OpenAI’s embeddings also have the package’s prices', async () => {
  const { findProvider } = await import('@pydantic/genai-prices');
  const known = findProvider({ providerId: 'openai' })?.models ?? [];
  const embeddings = openAiModels.filter(({ kind }) => kind === 'embeddings');
  expect(embeddings.map(({ id }) => id)).toEqual([
    ...['text-embedding-3-large', 'text-embedding-3-small', 'text-embedding-ada-002'],
  ]);
  for (const row of embeddings) {
    const { prices } = known.find(({ id }) => id === row.id) ?? {};
    expect(prices).toEqual({ input_mtok: Number(priceOf(row).inputUsdPerMillion) });
  }
});

function shippedOf(kind: PlatformKind, row: ModelRow): ShippedModel {
  return modelsOfRows(kind, [row])[0] ?? expect.fail('there is a model of each row');
}

/** The current price. */
function priceOf(row: ModelRow) {
  return row.prices.at(-1) ?? row.prices[0];
}
