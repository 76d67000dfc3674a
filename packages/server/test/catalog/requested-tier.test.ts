import { describe, expect, test } from 'vitest';
import { createCatalog, priceProblems } from '../../src/catalog/create-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { configOf, problemsOf } from '../config/load.ts';

const clock = {
  now: () => Date.UTC(2026, 10, 27),
  monotonic: () => 0,
  after: () => ({ cancel() {} }),
};

const rates = 'inputUsdPerMillion: "2", outputUsdPerMillion: "10"';
const yaml = (platform: string, row = '') => `
company: acme
platforms:
  only: { apiKey: none, ${platform} }
models: [{ id: m, platform: only, ${row} }]
`;

describe('the file is rejected', () => {
  test.each([
    [
      'kind: openai, tier: fast',
      'platforms.only.tier: must be one of standard, flex, priority; it is "fast"',
    ],
    [
      'kind: anthropic, tier: flex',
      'platforms.only.tier: must be one of standard, priority; it is "flex"',
    ],
    [
      'kind: openai-compatible, baseUrl: "http://127.0.0.1:1", tier: flex',
      'platforms.only.tier: the kind openai-compatible does not support tier; supported: baseUrl, apiKey',
    ],
  ])('%s', (platform, problem) => {
    expect(problemsOf(yaml(platform, rates))).toEqual([problem]);
  });
});

describe('at startup', () => {
  const problem = (tier: string, factor: string) =>
    `models: m has no price in the tier ${tier} of the platform only; add it to its tiers, for example tiers: { ${tier}: "${factor}" }`;
  test.each([
    ['kind: openai, tier: priority', rates, [problem('priority', '2')]],
    ['kind: openai, tier: flex', `${rates}, tiers: { priority: "2" }`, [problem('flex', '0.5')]],
    ['kind: openai, tier: flex', `${rates}, tiers: { flex: "0.5" }`, []],
    ['kind: openai, tier: standard', rates, []],
    ['kind: openai, tier: flex', '', []],
    ['kind: openai, tier: flex', 'kind: embeddings, inputUsdPerMillion: "1"', []],
    [
      'kind: openai, priceFactor: "0.5"',
      `${rates}, perRequestUsd: "0.000000000001"`,
      [
        'models: perRequestUsd or toolUses of m times the priceFactor of the platform only has a fraction of 0.000000000001 USD; use amounts with fewer decimals',
      ],
    ],
    ['kind: anthropic, tier: priority', `${rates}, tiers: { priority: "1.2" }`, []],
    ['kind: openai', `${rates}, tiers: { default: "1", flex: "0.5" }`, []],
    [
      'kind: openai',
      `${rates}, tiers: { flex: "0.5", default: "2" }`,
      [
        'models: m has the factor 2 in the tier default, which is the standard tier; set the price of that tier as the price of the row, and remove default',
      ],
    ],
    [
      'kind: openai, priceFactor: "300"',
      `${rates}, tiers: { fast: "1000" }, regions: { us: "1.5" }`,
      [
        'models: a price of m on the platform only is above $100000 after its factors (priceFactor, tiers, regions): $2 times 300000; use lower factors',
      ],
    ],
    [
      'kind: openai, priceFactor: "300"',
      'inputUsdPerMillion: "100", outputUsdPerMillion: "100"',
      [],
    ],
    [
      'kind: openai',
      `${rates}, aboveInputTokens: [{ tokens: 9, factors: { output: "1000" } }], tiers: { fast: "11" }`,
      [
        'models: a price of m on the platform only is above $100000 after its factors (priceFactor, tiers, regions): $10000 times 11; use lower factors',
      ],
    ],
    [
      'kind: openai, priceFactor: "300"',
      `${rates}, perRequestUsd: "999", toolUses: { search: { usdPerThousand: "3000", maxUses: 1000 } }`,
      [
        'models: perRequestUsd and toolUses of m reserve $1199700 for a call on the platform only, more than $1000000; use lower amounts, maxUses or priceFactor',
      ],
    ],
  ])('%s, %s', (platform, row, problems) => {
    const config = configOf(yaml(platform, row));
    expect(priceProblems({ ...config, shipped: shippedModels() })).toEqual(problems);
  });
});

const catalogOf = (platform: string, row: string) =>
  createCatalog({ ...configOf(yaml(platform, row)), shipped: shippedModels(), clock });

test('the price is that of the tier, and the reservation never below the standard one', () => {
  const row = `${rates}, tiers: { flex: "0.5", priority: "2" }`;
  const flex = catalogOf('kind: openai, tier: flex, priceFactor: "0.9"', row).model('m').price;
  expect(flex).toMatchObject({ inputPicoUsd: 900_000n, reserved: { inputPicoUsd: 1_800_000n } });
  const priority = catalogOf('kind: openai, tier: priority', row).model('m').price;
  expect(priority).toMatchObject({ inputPicoUsd: 4_000_000n, outputPicoUsd: 20_000_000n });
  expect(priority?.reserved).toBeUndefined();
});

test('a built-in row keeps its standard price', () => {
  const row = `${rates}, tiers: { priority: "2" }`;
  const { price } = catalogOf('kind: openai, tier: priority', row).model('gpt-5.4');
  expect(price).toMatchObject({ inputPicoUsd: 2_500_000n });
  expect(price?.terms?.tier).toBeUndefined();
});
