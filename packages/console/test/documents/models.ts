import type { ModelsCheck, ModelsPage } from '@model-gateway/server/operations/documents';

const rates = {
  ...{ inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '0.25' },
  ...{ cacheWriteInputUsdPerMillion: '3', outputUsdPerMillion: '10' },
};

/** A model with a price, one without, and an alias. */
export const models: ModelsPage = {
  items: [
    {
      ...{ id: 'gpt-5.4', priced: true, operations: ['chat'], images: true },
      price: rates,
      ...{ platform: 'openai', upstreamModel: 'gpt-5.4-2026' },
      ...{ source: 'https://prices.example/openai', readOn: '2026-11-01' },
    },
    {
      ...{ id: 'gpt-next', priced: false, price: null, operations: ['chat'], images: false },
      ...{ platform: 'openai', upstreamModel: 'gpt-next', source: null },
    },
    {
      ...{ id: 'best', priced: true, price: null, operations: ['chat'], images: false },
      ...{ platform: 'alias', upstreamModel: 'best', source: 'the file' },
      route: ['gpt-5.4', 'claude-opus'],
    },
  ],
  after: null,
};

export const noModels: ModelsPage = { items: [], after: null };

/** A model for each reason of the check. */
export const modelsCheck: ModelsCheck = {
  unpriced: [{ id: 'gpt-next', platform: 'openai', listed: true, apps: ['tutor'] }],
  withoutSource: [{ id: 'claude-opus', platform: 'anthropic', price: null }],
  retired: [{ id: 'gpt-3', platform: 'openai', retires: '2026-10-01' }],
  retiring: [{ id: 'gpt-4', platform: 'openai', retires: '2026-12-01' }],
  stale: [{ id: 'gpt-5', platform: 'openai', readOn: '2026-01-31' }],
  mismatched: [
    {
      ...{ id: 'gpt-5.4', platform: 'openai', price: { ...rates, outputUsdPerMillion: '12' } },
      shipped: { price: rates, source: 'https://prices.example' },
    },
  ],
  withoutTier: [{ id: 'gpt-5.5', platform: 'openai', tier: 'flex' }],
};

/** Nothing to correct. */
export const modelsChecked: ModelsCheck = { unpriced: [], withoutSource: [] };
