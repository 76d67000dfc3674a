import type { ModelRow } from '../model-row.ts';
import { mantleClaude } from './bedrock-mantle-claude.ts';
import { mantleOpenWeights } from './bedrock-mantle-open-weights.ts';
import { longInput } from './openai-terms.ts';

/*
 * Amazon Bedrock mantle, which answers in its own region: Claude and GPT cost a tenth more there
 * than at their vendors.
 *
 * No API reports a model's path, and a wrong one gets 400. Limits are those of the model's vendor.
 */

const page = 'https://aws.amazon.com/bedrock/pricing/';
const cards = 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards-openai.html';

/** `from` is the day of reading if the price's first day is unknown. */
const listed = { from: '2026-11-21', source: `@pydantic/genai-prices 0.1.8, aws: ${page}` };
const compared = { from: '2026-11-27', source: `genai-prices 0.2.3 and litellm 1.110.2: ${page}` };
const ofCards = { from: '2026-11-27', source: `litellm 1.110.2: ${cards}` };

const gpt = {
  defaultMaxTokens: 32_000,
  speaks: ['openai-v1-responses'],
  contextTokens: 1_050_000,
  maxOutputTokens: 128_000,
  images: true,
  structuredOutput: 'json-schema',
} as const;

const sol61 = {
  ...{ inputUsdPerMillion: '2.2', cachedInputUsdPerMillion: '0.11' },
  ...{ cacheWriteUsdPerMillion: { '30m': '2.75' }, outputUsdPerMillion: '11', ...longInput },
};
const terra61 = {
  ...{ inputUsdPerMillion: '1.1', cachedInputUsdPerMillion: '0.055' },
  ...{ cacheWriteUsdPerMillion: { '30m': '1.375' }, outputUsdPerMillion: '5.5', ...longInput },
};
const astra6 = {
  ...{ inputUsdPerMillion: '11', cachedInputUsdPerMillion: '1.1' },
  ...{ cacheWriteUsdPerMillion: { '30m': '13.75' }, outputUsdPerMillion: '55', ...longInput },
};
const sol6 = {
  ...{ inputUsdPerMillion: '2.2', cachedInputUsdPerMillion: '0.22' },
  ...{ cacheWriteUsdPerMillion: { '30m': '2.75' }, outputUsdPerMillion: '11', ...longInput },
};
const luna6 = {
  ...{ inputUsdPerMillion: '0.11', cachedInputUsdPerMillion: '0.011' },
  ...{ cacheWriteUsdPerMillion: { '30m': '0.1375' }, outputUsdPerMillion: '0.55', ...longInput },
};
const sol56 = {
  ...{ inputUsdPerMillion: '4.4', cachedInputUsdPerMillion: '0.44' },
  ...{ cacheWriteUsdPerMillion: { '30m': '5.5' }, outputUsdPerMillion: '22', ...longInput },
};
const terra56 = {
  ...{ inputUsdPerMillion: '2.2', cachedInputUsdPerMillion: '0.22' },
  ...{ cacheWriteUsdPerMillion: { '30m': '2.75' }, outputUsdPerMillion: '13.2', ...longInput },
};
const luna56 = {
  ...{ inputUsdPerMillion: '0.22', cachedInputUsdPerMillion: '0.022' },
  ...{ cacheWriteUsdPerMillion: { '30m': '0.275' }, outputUsdPerMillion: '1.32', ...longInput },
};
const gpt55 = {
  ...{ inputUsdPerMillion: '5.5', cachedInputUsdPerMillion: '0.55' },
  outputUsdPerMillion: '33',
};
const gpt54 = {
  ...{ inputUsdPerMillion: '2.75', cachedInputUsdPerMillion: '0.275' },
  outputUsdPerMillion: '16.5',
};

export const bedrockMantleModels: readonly ModelRow[] = [
  ...mantleClaude,
  { ...gpt, id: 'openai.gpt-6.1-sol', prices: [{ ...compared, ...sol61 }] },
  { ...gpt, id: 'openai.gpt-6.1-terra', prices: [{ ...compared, ...terra61 }] },
  { ...gpt, id: 'openai.gpt-6-astra', prices: [{ ...compared, ...astra6 }] },
  { ...gpt, id: 'openai.gpt-6-sol', prices: [{ ...compared, ...sol6 }] },
  { ...gpt, id: 'openai.gpt-6-luna', prices: [{ ...compared, ...luna6 }] },
  { ...gpt, id: 'openai.gpt-5.6-sol', prices: [{ ...listed, ...sol56, from: '2026-08-21' }] },
  { ...gpt, id: 'openai.gpt-5.6-terra', prices: [{ ...listed, ...terra56, from: '2026-07-30' }] },
  { ...gpt, id: 'openai.gpt-5.6-luna', prices: [{ ...listed, ...luna56, from: '2026-07-30' }] },
  {
    ...{ ...gpt, id: 'openai.gpt-5.5' },
    prices: [
      { ...listed, ...gpt55 },
      { ...ofCards, ...gpt55, ...longInput },
    ],
  },
  {
    ...{ ...gpt, id: 'openai.gpt-5.4' },
    prices: [
      { ...listed, ...gpt54 },
      { ...ofCards, ...gpt54, ...longInput },
    ],
  },
  ...mantleOpenWeights,
];
