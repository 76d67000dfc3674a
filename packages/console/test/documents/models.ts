import type { ModelsCheck, ModelsPage } from '@model-gateway/server/console/documents';

/** A model with a price, one without, and an alias. */
export const models: ModelsPage = {
  items: [
    {
      ...{ id: 'gpt-5.4', priced: true, operations: ['chat'], images: true },
      price: {
        ...{ inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '0.25' },
        ...{ cacheWriteInputUsdPerMillion: '3', outputUsdPerMillion: '10' },
      },
      ...{ platform: 'openai', upstreamModel: 'gpt-5.4-2026' },
      source: 'https://prices.example/openai',
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

/** No model. */
export const noModels: ModelsPage = { items: [], after: null };

/** One model that can be called without a price, and one whose price has no source. */
export const modelsCheck: ModelsCheck = {
  unpriced: [{ id: 'gpt-next', platform: 'openai', listed: true, apps: ['tutor'] }],
  withoutSource: [{ id: 'claude-opus', platform: 'anthropic', price: null }],
};

/** Nothing to correct. */
export const modelsChecked: ModelsCheck = { unpriced: [], withoutSource: [] };
