import type { ModelRow } from '../model-row.ts';
import { mantleClaude } from './bedrock-mantle-claude.ts';
import { mantleOpenWeights } from './bedrock-mantle-open-weights.ts';

/*
 * Amazon Bedrock mantle, which answers in its own region: Claude and GPT cost a tenth more there
 * than at their makers. USD per million tokens of input, of input that was cached, of input that is
 * written to the cache, and of output. Above 272,000 tokens of input, GPT models bill the whole
 * call at the longContext rates.
 *
 * No API tells a model's path: a wrong one is answered with 400. Limits are those of the model's
 * maker.
 */

const page = 'https://aws.amazon.com/bedrock/pricing/';
const cards = 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards-openai.html';

/** `from` is the day on which the price was read, where no day of its own is known. */
const listed = { from: '2026-11-21', source: `@pydantic/genai-prices 0.1.8, aws: ${page}` };
const compared = { from: '2026-11-27', source: `genai-prices 0.2.3 and litellm 1.110.2: ${page}` };
const ofCards = { from: '2026-11-27', source: `litellm 1.110.2: ${cards}` };

const gpt = {
  speaks: ['openai-v1-responses'],
  contextTokens: 1_050_000,
  maxOutputTokens: 128_000,
  images: true,
  structuredOutput: 'json-schema',
} as const;

/** Models of Amazon Bedrock mantle. */
export const bedrockMantleModels: readonly ModelRow[] = [
  ...mantleClaude,
  {
    ...gpt,
    id: 'openai.gpt-6.1-sol',
    prices: [
      {
        ...compared,
        ...{ input: '2.2', cached: '0.11', write: '2.75', output: '11' },
        longContext: long({ input: '4.4', cached: '0.22', write: '5.5', output: '16.5' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-6.1-terra',
    prices: [
      {
        ...compared,
        ...{ input: '1.1', cached: '0.055', write: '1.375', output: '5.5' },
        longContext: long({ input: '2.2', cached: '0.11', write: '2.75', output: '8.25' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-6-astra',
    prices: [
      {
        ...compared,
        ...{ input: '11', cached: '1.1', write: '13.75', output: '55' },
        longContext: long({ input: '22', cached: '2.2', write: '27.5', output: '82.5' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-6-sol',
    prices: [
      {
        ...compared,
        ...{ input: '2.2', cached: '0.22', write: '2.75', output: '11' },
        longContext: long({ input: '4.4', cached: '0.44', write: '5.5', output: '16.5' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-6-luna',
    prices: [
      {
        ...compared,
        ...{ input: '0.11', cached: '0.011', write: '0.1375', output: '0.55' },
        longContext: long({ input: '0.22', cached: '0.022', write: '0.275', output: '0.825' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-5.6-sol',
    prices: [
      {
        ...{ ...listed, from: '2026-08-21' },
        ...{ input: '4.4', cached: '0.44', write: '5.5', output: '22' },
        longContext: long({ input: '8.8', cached: '0.88', write: '11', output: '33' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-5.6-terra',
    prices: [
      {
        ...{ ...listed, from: '2026-07-30' },
        ...{ input: '2.2', cached: '0.22', write: '2.75', output: '13.2' },
        longContext: long({ input: '4.4', cached: '0.44', write: '5.5', output: '19.8' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-5.6-luna',
    prices: [
      {
        ...{ ...listed, from: '2026-07-30' },
        ...{ input: '0.22', cached: '0.022', write: '0.275', output: '1.32' },
        longContext: long({ input: '0.44', cached: '0.044', write: '0.55', output: '1.98' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-5.5',
    prices: [
      { ...listed, input: '5.5', cached: '0.55', write: '5.5', output: '33' },
      {
        ...ofCards,
        ...{ input: '5.5', cached: '0.55', write: '5.5', output: '33' },
        longContext: long({ input: '11', cached: '1.1', write: '11', output: '49.5' }),
      },
    ],
  },
  {
    ...gpt,
    id: 'openai.gpt-5.4',
    prices: [
      { ...listed, input: '2.75', cached: '0.275', write: '2.75', output: '16.5' },
      {
        ...ofCards,
        ...{ input: '2.75', cached: '0.275', write: '2.75', output: '16.5' },
        longContext: long({ input: '5.5', cached: '0.55', write: '5.5', output: '24.75' }),
      },
    ],
  },
  ...mantleOpenWeights,
];

function long<Rates>(rates: Rates) {
  return { fromInputTokens: 272_001, ...rates };
}
