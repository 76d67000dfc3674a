import type { ModelRow } from '../model-row.ts';

/*
 * Anthropic's own API. All models but Claude Haiku 5.5 have one rate for the whole context.
 *
 * `retires` is the day of https://platform.claude.com/docs/en/about-claude/model-deprecations.
 *
 * Limits were read on the models' pages below https://platform.claude.com/docs/en/models, those of
 * the 4.5 family in @ai-sdk/anthropic 4.0.105.
 */

const page = 'https://platform.claude.com/docs/en/about-claude/pricing';

/** `from` is the day of reading if the price's first day is unknown. */
const listed = {
  from: '2026-11-21',
  source: `@pydantic/genai-prices 0.1.8, anthropic: ${page}`,
};

const compared = { from: '2026-11-27', source: `genai-prices 0.2.3 and litellm 1.110.2: ${page}` };

const json = { structuredOutput: 'json-schema', images: true } as const;
const large = { ...json, contextTokens: 1_000_000, maxOutputTokens: 128_000 };
const small = { ...json, contextTokens: 200_000, maxOutputTokens: 64_000 };

/**
 * `us` costs a tenth more from Opus 4.6 on. Source:
 * https://platform.claude.com/docs/en/manage-claude/data-residency
 */
const us = { regions: { us: '1.1' } };

const fable52 = {
  ...{ inputUsdPerMillion: '8', cachedInputUsdPerMillion: '0.2' },
  ...{ cacheWriteUsdPerMillion: { '5m': '10', '1h': '16' }, outputUsdPerMillion: '40' },
};
const sonnet55 = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.1' },
  ...{ cacheWriteUsdPerMillion: { '5m': '2.5', '1h': '4' }, outputUsdPerMillion: '10' },
};
const haiku55 = {
  ...{ inputUsdPerMillion: '0.1', cachedInputUsdPerMillion: '0.01' },
  ...{ cacheWriteUsdPerMillion: { '5m': '0.125', '1h': '0.2' }, outputUsdPerMillion: '0.5' },
  aboveInputTokens: [{ tokens: 100_000, factors: { input: '5', output: '5' } }],
};
const fable51 = {
  ...{ inputUsdPerMillion: '10', cachedInputUsdPerMillion: '0.25' },
  ...{ cacheWriteUsdPerMillion: { '5m': '12.5', '1h': '20' }, outputUsdPerMillion: '50' },
};
const fable5 = {
  ...{ inputUsdPerMillion: '10', cachedInputUsdPerMillion: '1' },
  ...{ cacheWriteUsdPerMillion: { '5m': '12.5', '1h': '20' }, outputUsdPerMillion: '50' },
};
const opus55 = {
  ...{ inputUsdPerMillion: '4', cachedInputUsdPerMillion: '0.2' },
  ...{ cacheWriteUsdPerMillion: { '5m': '5', '1h': '8' }, outputUsdPerMillion: '20' },
};
const opus5 = {
  ...{ inputUsdPerMillion: '5', cachedInputUsdPerMillion: '0.5' },
  ...{ cacheWriteUsdPerMillion: { '5m': '6.25', '1h': '10' }, outputUsdPerMillion: '25' },
};
const sonnet5 = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.2' },
  ...{ cacheWriteUsdPerMillion: { '5m': '2.5', '1h': '4' }, outputUsdPerMillion: '10' },
};
const sonnet4 = {
  ...{ inputUsdPerMillion: '3', cachedInputUsdPerMillion: '0.3' },
  ...{ cacheWriteUsdPerMillion: { '5m': '3.75', '1h': '6' }, outputUsdPerMillion: '15' },
};
const haiku4 = {
  ...{ inputUsdPerMillion: '1', cachedInputUsdPerMillion: '0.1' },
  ...{ cacheWriteUsdPerMillion: { '5m': '1.25', '1h': '2' }, outputUsdPerMillion: '5' },
};

export const anthropicModels: readonly ModelRow[] = [
  {
    ...{ ...large, id: 'claude-fable-5-2' },
    prices: [{ ...fable52, ...us, from: '2026-11-27', source: `genai-prices 0.2.3: ${page}` }],
  },
  { ...large, id: 'claude-sonnet-5-5', prices: [{ ...compared, ...sonnet55, ...us }] },
  { ...large, id: 'claude-haiku-5-5', prices: [{ ...compared, ...haiku55, ...us }] },
  { ...large, id: 'claude-fable-5-1', prices: [{ ...listed, ...fable51, ...us }] },
  { ...large, id: 'claude-fable-5', prices: [{ ...listed, ...fable5, ...us }] },
  { ...large, id: 'claude-opus-5-5', prices: [{ ...listed, ...opus55, ...us }] },
  { ...large, id: 'claude-opus-5', prices: [{ ...listed, ...opus5, ...us }] },
  { ...large, id: 'claude-opus-4-8', prices: [{ ...listed, ...opus5, ...us }] },
  { ...large, id: 'claude-opus-4-7', prices: [{ ...listed, ...opus5, ...us }] },
  { ...large, id: 'claude-opus-4-6', prices: [{ ...listed, ...opus5, ...us, from: '2026-03-13' }] },
  { ...small, id: 'claude-opus-4-5', retires: '2027-01-22', prices: [{ ...listed, ...opus5 }] },
  { ...large, id: 'claude-sonnet-5', prices: [{ ...listed, ...sonnet5, ...us }] },
  {
    ...large,
    id: 'claude-sonnet-4-6',
    prices: [{ ...listed, ...sonnet4, ...us, from: '2026-03-13' }],
  },
  {
    // The longer context of this model has ended. The package still has its higher rates.
    ...{ ...small, id: 'claude-sonnet-4-5', retires: '2026-11-30' },
    prices: [{ ...sonnet4, from: '2026-11-21', source: page }],
  },
  { ...small, id: 'claude-haiku-4-5', prices: [{ ...listed, ...haiku4 }] },
];
