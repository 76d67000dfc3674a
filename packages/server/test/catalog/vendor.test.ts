import { expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { configOf } from '../config/load.ts';

// A model without a price is reserved at the highest rates of its vendor's current models.

const clock = {
  now: () => Date.UTC(2026, 10, 27),
  monotonic: () => 0,
  after: () => ({ cancel() {} }),
};

const yaml = `
company: acme
platforms:
  openai: { kind: openai, apiKey: none }
  claude: { kind: anthropic, apiKey: none }
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  - { id: own-claude, platform: local, maker: anthropic }
  - { id: own-priced, platform: local, maker: acme, inputUsdPerMillion: "3", outputUsdPerMillion: "4" }
  - { id: own-unpriced, platform: local, maker: acme }
  - { id: own-strange, platform: local, maker: unheard-of }
`;

const catalog = createCatalog({ ...configOf(yaml), shipped: shippedModels(), clock });

function highestOf(platform: string, id: string): number {
  const model = catalog.model(id);
  const { outputPicoUsd = 0n } = catalog.highestPrice({ ...model, platform }) ?? {};
  return Number(outputPicoUsd) / 1e6;
}

test.each([
  // gpt-5.5-pro; and Fable 5 on mantle.
  ['openai', 'gpt-of-tomorrow', 180],
  ['claude', 'claude-of-tomorrow', 55],
  ['bedrock', 'anthropic.claude-of-tomorrow', 55],
  ['local', 'own-claude', 55],
  ['local', 'own-unpriced', 4],
  // A model of an unknown vendor might be any model.
  ['local', 'anything', 180],
  ['local', 'own-strange', 180],
  ['bedrock', 'nobody.model', 180],
])('on %s %s is reserved at $%d', (platform, id, usd) => {
  expect(highestOf(platform, id)).toBe(usd);
});

test('every such price is stored, each under another version', () => {
  const highest = catalog.prices().filter(({ isHighestKnown }) => isHighestKnown === true);
  expect(new Set(highest.map(({ version }) => version)).size).toBe(highest.length);
  for (const platform of ['openai', 'claude', 'bedrock', 'local']) {
    const price = catalog.highestPrice({ platform, upstreamModel: 'anthropic.any' });
    expect(highest).toContainEqual({ ...price, model: '(dearest)' });
  }
});
