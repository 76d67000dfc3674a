import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { describe, expect, test } from 'vitest';
import { ratesFor } from '../../src/catalog/cost.ts';
import { genaiPricesName, loadProviderPrices } from '../../src/catalog/genai-prices.ts';
import { type ModelRow, modelsOfRows, type RateRow } from '../../src/catalog/model-row.ts';
import { anthropicModels } from '../../src/catalog/models/anthropic.ts';
import { bedrockMantleModels } from '../../src/catalog/models/bedrock-mantle.ts';
import { openAiModels } from '../../src/catalog/models/openai.ts';
import { shippedModels } from '../../src/catalog/shipped.ts';
import { isUtcDay } from '../../src/lib/clock.ts';
import { parseUsdPerMillion } from '../../src/lib/money.ts';

const files = [
  ['openai', 'openai', openAiModels],
  ['anthropic', 'anthropic', anthropicModels],
  ['bedrock-mantle', 'aws', bedrockMantleModels],
] as const;

const rows = files.flatMap(([kind, provider, models]) =>
  models.map((row) => [`${kind} ${row.id}`, { kind, provider, row }] as const),
);

const pico = (amount: string) => parseUsdPerMillion(amount) ?? -1n;

/** 2026-11-21, the day on which the npm package was read. */
const packageReadMs = Date.UTC(2026, 10, 21);
/** 2026-11-27, the day on which the newest price was read. */
const readMs = Date.UTC(2026, 10, 27);

test('an id is given once', () => {
  const ids = [...shippedModels(), ...simulatorRows()].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(rows)('%s has exact prices, a day and a source', (_name, { kind, row }) => {
  for (const { from, source, longContext, ...rates } of row.prices) {
    expect(new Date(`${from}T00:00:00Z`).toISOString()).toContain(from);
    expect(Date.parse(from)).toBeLessThanOrEqual(readMs);
    expect(source).toMatch(/https:\/\/[a-z0-9.-]+\/\S+$/);
    expectSoundRates(rates);
    // Embeddings write nothing.
    if (row.kind === 'embeddings') expect(rates.output).toBe('0');
    else expect(pico(rates.output)).toBeGreaterThan(pico(rates.input));
    if (longContext === undefined) continue;
    const { fromInputTokens, ...long } = longContext;
    expectSoundRates(long);
    expect(pico(long.output)).toBeGreaterThan(pico(long.input));
    expect(fromInputTokens).toBeLessThan(row.contextTokens);
    for (const key of ['input', 'cached', 'write', 'output'] as const) {
      expect(pico(long[key])).toBeGreaterThanOrEqual(pico(rates[key]));
    }
  }
  expect(row.prices.map(({ from }) => from)).toEqual(row.prices.map(({ from }) => from).toSorted());
  const [model] = modelsOfRows(kind, [row]);
  expect(model?.prices?.[0]?.inputPicoUsd).toBe(pico(row.prices[0].input));
});

function expectSoundRates({ input, cached, write }: RateRow) {
  for (const amount of [input, cached, write]) expect(pico(amount)).toBeGreaterThan(0n);
  expect(pico(cached)).toBeLessThanOrEqual(pico(input));
  expect(pico(write)).toBeGreaterThanOrEqual(pico(input));
}

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

describe('a row that names the package as its source has the price of the package', () => {
  const named = rows.filter(([, { row }]) => priceOf(row).source.startsWith(genaiPricesName));

  test.each(named)('%s', async (_name, { provider, row }) => {
    const prices = await loadProviderPrices(provider);
    const { from: _from, source, longContext, ...rates } = priceOf(row);
    expect(source).toContain(`${genaiPricesName}, ${provider}: `);
    expect(prices?.find(row.id, packageReadMs)).toMatchObject({
      kind: 'found',
      rates,
      longContext,
    });
  });

  test('and there are such rows of every kind', () => {
    expect(named.length).toBeGreaterThan(30);
  });
});

test.each(rows.filter(([, { row }]) => priceOf(row).longContext !== undefined))(
  '%s costs more above its step, and not at it',
  (_name, { kind, row }) => {
    const rates = modelsOfRows(kind, [row])[0]?.prices?.at(-1);
    if (rates === undefined) expect.fail('the row has a price');
    const step = row.id.includes('claude') ? 100_000 : 272_000;
    expect(ratesFor(rates, step)).toBe(rates);
    expect(ratesFor(rates, step + 1)).toBe(rates.steps?.[0]);
  },
);

test('prices that changed on a known day hold from that day on', async () => {
  const dated = rows.filter(([, { row }]) => priceOf(row).from < '2026-11-21');
  expect(dated.map(([name]) => name)).toContain('openai gpt-5.6-luna');
  for (const [, { provider, row }] of dated) {
    const { from } = priceOf(row);
    const startMs = Date.parse(`${from}T00:00:00Z`);
    const prices = await loadProviderPrices(provider);
    const { input } = priceOf(row);
    expect(prices?.find(row.id, startMs)).toMatchObject({ rates: { input } });
    const before = prices?.find(row.id, startMs - 1);
    expect(before).not.toEqual(prices?.find(row.id, startMs));
  }
});

test('a price that changed keeps the one before it for calls of that time', () => {
  const changed = rows.filter(([, { row }]) => row.prices.length > 1);
  expect(changed.map(([name]) => name)).toEqual([
    ...['bedrock-mantle openai.gpt-5.5', 'bedrock-mantle openai.gpt-5.4'],
    ...['bedrock-mantle openai.gpt-oss-20b', 'bedrock-mantle openai.gpt-oss-safeguard-20b'],
  ]);
});

test.each(rows.filter(([, { row }]) => row.retires !== undefined))(
  '%s ends on a day that the calendar has',
  (_name, { row }) => {
    const { retires = '' } = row;
    expect(isUtcDay(retires)).toBe(true);
    // An older row than this belongs in no list: remove it.
    expect(retires > '2026-10-01').toBe(true);
  },
);

test('every shipped price has the day on which it was last read', () => {
  for (const { prices } of shippedModels()) {
    for (const { readDay = '', fromDay = '' } of prices) {
      expect(isUtcDay(readDay)).toBe(true);
      expect(readDay >= fromDay).toBe(true);
    }
  }
});

test('OpenAI’s embeddings have the prices that the package has, too', async () => {
  const { findProvider } = await import('@pydantic/genai-prices');
  const known = findProvider({ providerId: 'openai' })?.models ?? [];
  const embeddings = openAiModels.filter(({ kind }) => kind === 'embeddings');
  expect(embeddings.map(({ id }) => id)).toEqual([
    ...['text-embedding-3-large', 'text-embedding-3-small', 'text-embedding-ada-002'],
  ]);
  for (const row of embeddings) {
    const { prices } = known.find(({ id }) => id === row.id) ?? {};
    expect(prices).toEqual({ input_mtok: Number(priceOf(row).input) });
  }
});

/** The price in force. */
function priceOf(row: ModelRow) {
  return row.prices.at(-1) ?? row.prices[0];
}
