import type { ModelRow } from '../model-row.ts';
import { openAiEmbeddings } from './openai-embeddings.ts';
import { openAiProModels } from './openai-pro.ts';
import { residency } from './openai-regions.ts';

/*
 * OpenAI's own API, standard tier. USD per million tokens of input, of input that was cached, of
 * input that is written to the cache (up to GPT-5.5 it costs what input costs), and of output.
 * Above 272,000 tokens of input the larger models bill the whole call at the longContext rates.
 *
 * `retires` is the day of https://developers.openai.com/api/docs/deprecations.
 *
 * Limits were read on the models' pages below https://developers.openai.com/api/docs/models.
 */

const genaiPrices =
  '@pydantic/genai-prices 0.1.8, openai: https://developers.openai.com/api/docs/pricing';

/** `from` is the day on which the price was read, where no day of its own is known. */
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
const gpt5 = { ...json, contextTokens: 400_000, maxOutputTokens: 128_000 };
const gpt5Long = {
  ...{ ...json, contextTokens: 1_050_000, maxOutputTokens: 128_000 },
  regions: residency,
};
const reasoner = { ...json, contextTokens: 200_000, maxOutputTokens: 100_000 };

/** Models of OpenAI's own API. */
export const openAiModels: readonly ModelRow[] = [
  {
    ...gpt5Long,
    id: 'gpt-6.1-sol',
    prices: [
      {
        ...{ ...compared, input: '2', cached: '0.1', write: '2.5', output: '10' },
        longContext: long({ input: '4', cached: '0.2', write: '5', output: '15' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-6.1-terra',
    prices: [
      {
        ...{ ...compared, input: '1', cached: '0.05', write: '1.25', output: '5' },
        longContext: long({ input: '2', cached: '0.1', write: '2.5', output: '7.5' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-6-astra',
    prices: [
      {
        ...{ ...compared, input: '10', cached: '1', write: '12.5', output: '50' },
        longContext: long({ input: '20', cached: '2', write: '25', output: '75' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-6-sol',
    prices: [
      {
        ...{ ...compared, input: '2', cached: '0.2', write: '2.5', output: '10' },
        longContext: long({ input: '4', cached: '0.4', write: '5', output: '15' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-6-luna',
    prices: [
      {
        ...{ ...compared, input: '0.1', cached: '0.01', write: '0.125', output: '0.5' },
        longContext: long({ input: '0.2', cached: '0.02', write: '0.25', output: '0.75' }),
      },
    ],
  },
  // OpenAI serves GPT-5.6 Sol under this id.
  {
    ...gpt5Long,
    id: 'gpt-5.6',
    prices: [
      {
        ...{ ...compared, input: '4', cached: '0.4', write: '5', output: '20' },
        longContext: long({ input: '8', cached: '0.8', write: '10', output: '30' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-5.6-sol',
    prices: [
      {
        ...{ ...listed, from: '2026-08-21' },
        ...{ input: '4', cached: '0.4', write: '5', output: '20' },
        longContext: long({ input: '8', cached: '0.8', write: '10', output: '30' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-5.6-terra',
    prices: [
      {
        ...{ ...listed, from: '2026-07-30' },
        ...{ input: '2', cached: '0.2', write: '2.5', output: '12' },
        longContext: long({ input: '4', cached: '0.4', write: '5', output: '18' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-5.6-luna',
    prices: [
      {
        ...{ ...listed, from: '2026-07-30' },
        ...{ input: '0.2', cached: '0.02', write: '0.25', output: '1.2' },
        longContext: long({ input: '0.4', cached: '0.04', write: '0.5', output: '1.8' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-5.5',
    prices: [
      {
        ...{ ...listed, input: '5', cached: '0.5', write: '5', output: '30' },
        longContext: long({ input: '10', cached: '1', write: '10', output: '45' }),
      },
    ],
  },
  {
    ...gpt5Long,
    id: 'gpt-5.4',
    prices: [
      {
        ...{ ...listed, input: '2.5', cached: '0.25', write: '2.5', output: '15' },
        longContext: long({ input: '5', cached: '0.5', write: '5', output: '22.5' }),
      },
    ],
  },
  {
    ...gpt5,
    ...{ id: 'gpt-5.4-mini', regions: residency },
    prices: [{ ...listed, input: '0.75', cached: '0.075', write: '0.75', output: '4.5' }],
  },
  {
    ...gpt5,
    ...{ id: 'gpt-5.4-nano', retires: '2027-04-01', regions: residency },
    prices: [{ ...listed, input: '0.2', cached: '0.02', write: '0.2', output: '1.25' }],
  },
  {
    ...gpt5,
    id: 'gpt-5.2',
    prices: [{ ...listed, input: '1.75', cached: '0.175', write: '1.75', output: '14' }],
  },
  {
    ...gpt5,
    ...{ id: 'gpt-5.1', retires: '2027-04-01' },
    prices: [{ ...listed, input: '1.25', cached: '0.125', write: '1.25', output: '10' }],
  },
  {
    ...gpt5,
    ...{ id: 'gpt-5', retires: '2026-12-11' },
    prices: [{ ...listed, input: '1.25', cached: '0.125', write: '1.25', output: '10' }],
  },
  {
    ...gpt5,
    ...{ id: 'gpt-5-mini', retires: '2026-12-11' },
    prices: [{ ...listed, input: '0.25', cached: '0.025', write: '0.25', output: '2' }],
  },
  {
    ...gpt5,
    ...{ id: 'gpt-5-nano', retires: '2026-12-11' },
    prices: [{ ...listed, input: '0.05', cached: '0.005', write: '0.05', output: '0.4' }],
  },
  {
    ...gpt41,
    ...{ id: 'gpt-4.1', retires: '2027-01-14' },
    prices: [{ ...listed, input: '2', cached: '0.5', write: '2', output: '8' }],
  },
  {
    ...gpt41,
    ...{ id: 'gpt-4.1-mini', retires: '2027-01-14' },
    prices: [{ ...listed, input: '0.4', cached: '0.1', write: '0.4', output: '1.6' }],
  },
  {
    ...gpt41,
    ...{ id: 'gpt-4.1-nano', retires: '2026-10-23' },
    prices: [{ ...listed, input: '0.1', cached: '0.025', write: '0.1', output: '0.4' }],
  },
  {
    ...gpt4o,
    ...{ id: 'gpt-4o', retires: '2027-01-14' },
    prices: [{ ...compared, input: '2.5', cached: '1.25', write: '2.5', output: '10' }],
  },
  {
    ...gpt4o,
    ...{ id: 'gpt-4o-mini', retires: '2027-01-14' },
    prices: [{ ...compared, input: '0.15', cached: '0.075', write: '0.15', output: '0.6' }],
  },
  {
    ...reasoner,
    ...{ id: 'o3', retires: '2026-12-11' },
    prices: [{ ...listed, input: '2', cached: '0.5', write: '2', output: '8' }],
  },
  {
    ...reasoner,
    ...{ id: 'o4-mini', retires: '2026-10-23' },
    prices: [{ ...listed, input: '1.1', cached: '0.275', write: '1.1', output: '4.4' }],
  },
  ...openAiProModels,
  ...openAiEmbeddings,
];

function long<Rates>(rates: Rates) {
  return { fromInputTokens: 272_001, ...rates };
}
