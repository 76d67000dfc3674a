import { expect, test } from 'vitest';
import { createCatalog, priceProblems } from '../../src/catalog/create-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { priceIn } from '../../src/catalog/terms.ts';
import { configOf } from '../config/load.ts';

const clock = {
  now: () => Date.UTC(2026, 10, 27),
  monotonic: () => 0,
  after: () => ({ cancel() {} }),
};

const yaml = (platform: string, models = '') => `
company: acme
platforms:
  only: ${platform}
${models}`;

function priced(platform: string, id: string) {
  const config = configOf(yaml(platform));
  const parts = { ...config, shipped: shippedModels(), clock };
  expect(priceProblems(parts)).toEqual([]);
  const { price } = createCatalog(parts).model(id);
  if (price === undefined) throw new Error('the row ships with a price');
  return price;
}

test.each([
  ['{ kind: anthropic, apiKey: none }', 'claude-opus-4-8', 5_000_000n],
  ['{ kind: anthropic, apiKey: none, region: us }', 'claude-opus-4-8', 5_500_000n],
  // The row has no region: the highest factor, and no exact price.
  ['{ kind: anthropic, apiKey: none, region: eu }', 'claude-opus-4-8', 5_500_000n],
  ['{ kind: anthropic, apiKey: none, region: us }', 'claude-haiku-4-5', 1_000_000n],
  ['{ kind: openai, apiKey: none }', 'gpt-5.4', 2_500_000n],
  ['{ kind: openai, apiKey: none, region: eu }', 'gpt-5.4', 2_750_000n],
  [
    '{ kind: openai, apiKey: none, baseUrl: "https://eu.api.openai.com/v1" }',
    ...(['gpt-5.4', 2_750_000n] as const),
  ],
  ['{ kind: openai, apiKey: none, region: eu, priceFactor: "0.9" }', 'gpt-5.4', 2_475_000n],
  ['{ kind: openai, apiKey: none, region: eu }', 'gpt-4.1', 2_000_000n],
])('%s: %s', (platform, id, inputPicoUsd) => {
  expect(priced(platform, id).inputPicoUsd).toBe(inputPicoUsd);
});

test('a region without a row is never exact, and another known one is', () => {
  const price = priced('{ kind: anthropic, apiKey: none, region: eu }', 'claude-opus-4-8');
  expect(priceIn(price, { region: 'eu' })).toBeUndefined();
  expect(priceIn(price, { region: 'us' })?.inputPicoUsd).toBe(5_500_000n);
  expect(priceIn(price, { region: 'global' })?.inputPicoUsd).toBe(5_000_000n);
});

test.each([
  [
    'regions: { us: "1.1" }',
    'models: m has no price in the region eu of the platform only; add it to its regions, which are us',
  ],
  [
    'regions: { eu: "1.000001" }',
    'models: a price of m on the platform only has more than six decimals after its factors (priceFactor, tiers, regions): $0.15 times 1.000001; use factors with fewer decimals',
  ],
])('a row of the file with %s prevents startup', (terms, problem) => {
  const row = `{ id: m, platform: only, inputUsdPerMillion: "0.15", outputUsdPerMillion: "1", ${terms} }`;
  const text = yaml('{ kind: openai, apiKey: none, region: eu }', `models: [${row}]`);
  expect(priceProblems({ ...configOf(text), shipped: [] })).toEqual([problem]);
});
