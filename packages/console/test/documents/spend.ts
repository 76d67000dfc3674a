import type { Spend, SumsDocument } from '@model-gateway/server/operations/documents';

const sums: SumsDocument = {
  ...{ calls: 1_200, errors: 0, inputTokens: 1_000_000, cachedInputTokens: 250_000 },
  ...{ cacheWriteInputTokens: 0, cacheWrite1hInputTokens: 0, outputTokens: 90_001 },
  ...{ reasoningTokens: 40_002, costUsd: '75', exactUsd: '75', estimatedUsd: '0' },
  ...{ correctedUsd: '0', unpricedUsd: '0', unpricedCalls: 0 },
};
const otherSums = { ...sums, calls: 34, costUsd: '25.123456', estimatedUsd: '0.509' };

/** A month of two models, compared with the previous one. */
export const spend: Spend = {
  ...{ from: '2026-11-01', to: '2026-11-30', by: ['model'], found: 2 },
  rows: [
    { names: ['gpt-5.4'], sums },
    { names: [''], sums: otherSums },
  ],
  total: { ...sums, calls: 1_234, costUsd: '100.123456', estimatedUsd: '0.509' },
  days: [
    { day: '2026-11-21', costUsd: '40', parts: [{ name: 'gpt-5.4', costUsd: '40' }] },
    {
      ...{ day: '2026-11-22', costUsd: '60.123456' },
      parts: [
        { name: 'gpt-5.4', costUsd: '35' },
        { name: '', costUsd: '20' },
        { name: null, costUsd: '5.123456' },
      ],
    },
  ],
  forecast: { usd: '136.53', basis: 'the last seven days' },
};

/** A month without a call. */
export const noSpend: Spend = {
  ...{ from: '2026-11-01', to: '2026-11-30', by: ['model'], rows: [], found: 0, days: [] },
  total: { ...sums, calls: 0, costUsd: '0', exactUsd: '0' },
};
