import type { ModelRow } from '../model-row.ts';
import { longInput, residency } from './openai-terms.ts';

/*
 * OpenAI's pro models. OpenAI serves them only on responses, and does not cache their input.
 */

const compared = {
  from: '2026-11-27',
  source: 'genai-prices 0.2.3 and litellm 1.110.2: https://developers.openai.com/api/docs/pricing',
};

const pro = {
  speaks: ['v1-responses'],
  structuredOutput: 'json-schema',
  images: true,
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  defaultMaxTokens: 32_000,
} as const;
const proLong = { ...pro, contextTokens: 1_050_000 };

const gpt54 = {
  ...{ inputUsdPerMillion: '30', outputUsdPerMillion: '180' },
  ...{ ...longInput, regions: residency },
};

export const openAiProModels: readonly ModelRow[] = [
  { ...proLong, id: 'gpt-5.5-pro', prices: [{ ...compared, ...gpt54 }] },
  { ...proLong, id: 'gpt-5.4-pro', prices: [{ ...compared, ...gpt54 }] },
  {
    ...{ ...pro, id: 'gpt-5.2-pro' },
    prices: [{ ...compared, inputUsdPerMillion: '21', outputUsdPerMillion: '168' }],
  },
  {
    ...{ ...pro, id: 'gpt-5-pro', retires: '2026-12-11' },
    prices: [{ ...compared, inputUsdPerMillion: '15', outputUsdPerMillion: '120' }],
  },
];
