import type { ModelRow } from '../model-row.ts';
import { openAiEmbeddings } from './openai-embeddings.ts';
import { openAiProModels } from './openai-pro.ts';
import { longInput, residency } from './openai-terms.ts';

/*
 * OpenAI's own API, standard tier. Up to GPT-5.5, cache writes cost the same as other input.
 *
 * `retires` is the day of https://developers.openai.com/api/docs/deprecations.
 *
 * Limits were read on the models' pages below https://developers.openai.com/api/docs/models.
 */

const genaiPrices =
  '@pydantic/genai-prices 0.1.8, openai: https://developers.openai.com/api/docs/pricing';

/** `from` is the day of reading if the price's first day is unknown. */
const listed = { from: '2026-11-21', source: genaiPrices };
const compared = {
  from: '2026-11-27',
  source: 'genai-prices 0.2.3 and litellm 1.110.2: https://developers.openai.com/api/docs/pricing',
};

const json = {
  speaks: ['v1-chat', 'v1-responses'],
  structuredOutput: 'json-schema',
  images: true,
} as const;
const gpt4o = { ...json, contextTokens: 128_000, maxOutputTokens: 16_384 };
const gpt41 = { ...json, contextTokens: 1_047_576, maxOutputTokens: 32_768 };
/** The default limit is high because most output is reasoning, which counts as output. */
const reasons = { ...json, defaultMaxTokens: 32_000 };
const gpt5 = { ...reasons, contextTokens: 400_000, maxOutputTokens: 128_000 };
const gpt5Long = { ...reasons, contextTokens: 1_050_000, maxOutputTokens: 128_000 };
const reasoner = { ...reasons, contextTokens: 200_000, maxOutputTokens: 100_000 };

const large = { ...longInput, regions: residency };
const sol61 = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.1' },
  ...{ cacheWriteUsdPerMillion: { '30m': '2.5' }, outputUsdPerMillion: '10', ...large },
};
const terra61 = {
  ...{ inputUsdPerMillion: '1', cachedInputUsdPerMillion: '0.05' },
  ...{ cacheWriteUsdPerMillion: { '30m': '1.25' }, outputUsdPerMillion: '5', ...large },
};
const astra6 = {
  ...{ inputUsdPerMillion: '10', cachedInputUsdPerMillion: '1' },
  ...{ cacheWriteUsdPerMillion: { '30m': '12.5' }, outputUsdPerMillion: '50', ...large },
};
const sol6 = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.2' },
  ...{ cacheWriteUsdPerMillion: { '30m': '2.5' }, outputUsdPerMillion: '10', ...large },
};
const luna6 = {
  ...{ inputUsdPerMillion: '0.1', cachedInputUsdPerMillion: '0.01' },
  ...{ cacheWriteUsdPerMillion: { '30m': '0.125' }, outputUsdPerMillion: '0.5', ...large },
};
const sol56 = {
  ...{ inputUsdPerMillion: '4', cachedInputUsdPerMillion: '0.4' },
  ...{ cacheWriteUsdPerMillion: { '30m': '5' }, outputUsdPerMillion: '20', ...large },
};
const terra56 = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.2' },
  ...{ cacheWriteUsdPerMillion: { '30m': '2.5' }, outputUsdPerMillion: '12', ...large },
};
const luna56 = {
  ...{ inputUsdPerMillion: '0.2', cachedInputUsdPerMillion: '0.02' },
  ...{ cacheWriteUsdPerMillion: { '30m': '0.25' }, outputUsdPerMillion: '1.2', ...large },
};
const gpt55 = {
  ...{ inputUsdPerMillion: '5', cachedInputUsdPerMillion: '0.5' },
  ...{ outputUsdPerMillion: '30', ...large },
};
const gpt54 = {
  ...{ inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '0.25' },
  ...{ outputUsdPerMillion: '15', ...large },
};
const mini54 = {
  ...{ inputUsdPerMillion: '0.75', cachedInputUsdPerMillion: '0.075' },
  ...{ outputUsdPerMillion: '4.5', regions: residency },
};
const nano54 = {
  ...{ inputUsdPerMillion: '0.2', cachedInputUsdPerMillion: '0.02' },
  ...{ outputUsdPerMillion: '1.25', regions: residency },
};
const gpt52 = {
  ...{ inputUsdPerMillion: '1.75', cachedInputUsdPerMillion: '0.175' },
  outputUsdPerMillion: '14',
};
const gpt51 = {
  ...{ inputUsdPerMillion: '1.25', cachedInputUsdPerMillion: '0.125' },
  outputUsdPerMillion: '10',
};
const mini5 = {
  ...{ inputUsdPerMillion: '0.25', cachedInputUsdPerMillion: '0.025' },
  outputUsdPerMillion: '2',
};
const nano5 = {
  ...{ inputUsdPerMillion: '0.05', cachedInputUsdPerMillion: '0.005' },
  outputUsdPerMillion: '0.4',
};
const gpt41Price = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.5' },
  outputUsdPerMillion: '8',
};
const mini41 = {
  ...{ inputUsdPerMillion: '0.4', cachedInputUsdPerMillion: '0.1' },
  outputUsdPerMillion: '1.6',
};
const nano41 = {
  ...{ inputUsdPerMillion: '0.1', cachedInputUsdPerMillion: '0.025' },
  outputUsdPerMillion: '0.4',
};
const gpt4oPrice = {
  ...{ inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '1.25' },
  outputUsdPerMillion: '10',
};
const mini4o = {
  ...{ inputUsdPerMillion: '0.15', cachedInputUsdPerMillion: '0.075' },
  outputUsdPerMillion: '0.6',
};
const o3 = {
  ...{ inputUsdPerMillion: '2', cachedInputUsdPerMillion: '0.5' },
  outputUsdPerMillion: '8',
};
const o4Mini = {
  ...{ inputUsdPerMillion: '1.1', cachedInputUsdPerMillion: '0.275' },
  outputUsdPerMillion: '4.4',
};

export const openAiModels: readonly ModelRow[] = [
  { ...gpt5Long, id: 'gpt-6.1-sol', prices: [{ ...compared, ...sol61 }] },
  { ...gpt5Long, id: 'gpt-6.1-terra', prices: [{ ...compared, ...terra61 }] },
  { ...gpt5Long, id: 'gpt-6-astra', prices: [{ ...compared, ...astra6 }] },
  { ...gpt5Long, id: 'gpt-6-sol', prices: [{ ...compared, ...sol6 }] },
  { ...gpt5Long, id: 'gpt-6-luna', prices: [{ ...compared, ...luna6 }] },
  // OpenAI serves GPT-5.6 Sol under this id.
  { ...gpt5Long, id: 'gpt-5.6', prices: [{ ...compared, ...sol56 }] },
  { ...gpt5Long, id: 'gpt-5.6-sol', prices: [{ ...listed, ...sol56, from: '2026-08-21' }] },
  { ...gpt5Long, id: 'gpt-5.6-terra', prices: [{ ...listed, ...terra56, from: '2026-07-30' }] },
  { ...gpt5Long, id: 'gpt-5.6-luna', prices: [{ ...listed, ...luna56, from: '2026-07-30' }] },
  { ...gpt5Long, id: 'gpt-5.5', prices: [{ ...listed, ...gpt55 }] },
  { ...gpt5Long, id: 'gpt-5.4', prices: [{ ...listed, ...gpt54 }] },
  { ...gpt5, id: 'gpt-5.4-mini', prices: [{ ...listed, ...mini54 }] },
  { ...gpt5, id: 'gpt-5.4-nano', retires: '2027-04-01', prices: [{ ...listed, ...nano54 }] },
  { ...gpt5, id: 'gpt-5.2', prices: [{ ...listed, ...gpt52 }] },
  { ...gpt5, id: 'gpt-5.1', retires: '2027-04-01', prices: [{ ...listed, ...gpt51 }] },
  { ...gpt5, id: 'gpt-5', retires: '2026-12-11', prices: [{ ...listed, ...gpt51 }] },
  { ...gpt5, id: 'gpt-5-mini', retires: '2026-12-11', prices: [{ ...listed, ...mini5 }] },
  { ...gpt5, id: 'gpt-5-nano', retires: '2026-12-11', prices: [{ ...listed, ...nano5 }] },
  { ...gpt41, id: 'gpt-4.1', retires: '2027-01-14', prices: [{ ...listed, ...gpt41Price }] },
  { ...gpt41, id: 'gpt-4.1-mini', retires: '2027-01-14', prices: [{ ...listed, ...mini41 }] },
  { ...gpt41, id: 'gpt-4.1-nano', retires: '2026-10-23', prices: [{ ...listed, ...nano41 }] },
  { ...gpt4o, id: 'gpt-4o', retires: '2027-01-14', prices: [{ ...compared, ...gpt4oPrice }] },
  { ...gpt4o, id: 'gpt-4o-mini', retires: '2027-01-14', prices: [{ ...compared, ...mini4o }] },
  { ...reasoner, id: 'o3', retires: '2026-12-11', prices: [{ ...listed, ...o3 }] },
  { ...reasoner, id: 'o4-mini', retires: '2026-10-23', prices: [{ ...listed, ...o4Mini }] },
  ...openAiProModels,
  ...openAiEmbeddings,
];
