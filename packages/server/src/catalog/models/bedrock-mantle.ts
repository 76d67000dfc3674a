import type { ModelRow } from '../model-row.ts';

/*
 * Amazon Bedrock mantle, which answers in its own region: Claude and GPT-5 cost a tenth more there
 * than at their makers, and gpt-oss-20b and its safeguard more than on bedrock-runtime. USD per
 * million tokens of input, of input that was cached, of input that is written to the cache, and of
 * output.
 *
 * No API tells a model's path: a wrong one is answered with 400. Limits are those of the model's
 * maker; the context of GPT-5.4, GPT-5.5 and gpt-oss is mantle's.
 */

/** `from` is the day on which the price was read, where no day of its own is known. */
const listed = {
  from: '2026-11-21',
  source: '@pydantic/genai-prices 0.1.8, aws: https://aws.amazon.com/bedrock/pricing/',
};

/** The package has the ids of bedrock-runtime alone, whose prices are other ones. */
const openWeights = {
  from: '2026-11-21',
  source: 'https://docs.litellm.ai/docs/providers/bedrock_mantle',
};

const claude = {
  speaks: ['anthropic-v1-messages'],
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  images: true,
} as const;
/** Schemas were refused at first, so models that can be made to call a tool answer by one. */
const claudeByTool = { ...claude, structuredOutput: 'tool' } as const;
const claudeBySchema = { ...claude, structuredOutput: 'json-schema' } as const;
const gpt5 = {
  speaks: ['openai-v1-responses'],
  maxOutputTokens: 128_000,
  images: true,
  structuredOutput: 'json-schema',
} as const;
const gptOss = {
  speaks: ['v1-chat'],
  contextTokens: 128_000,
  images: false,
  // They honour no tool choice but auto.
  structuredOutput: 'json-schema',
} as const;

/** Models of Amazon Bedrock mantle. */
export const bedrockMantleModels: readonly ModelRow[] = [
  {
    ...claudeBySchema,
    id: 'anthropic.claude-fable-5-1',
    prices: [{ ...listed, input: '11', cached: '0.275', write: '13.75', output: '55' }],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-fable-5',
    prices: [{ ...listed, input: '11', cached: '1.1', write: '13.75', output: '55' }],
  },
  {
    ...claudeBySchema,
    id: 'anthropic.claude-opus-5-5',
    prices: [{ ...listed, input: '4.4', cached: '0.22', write: '5.5', output: '22' }],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-opus-5',
    prices: [{ ...listed, input: '5.5', cached: '0.55', write: '6.875', output: '27.5' }],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-opus-4-8',
    prices: [{ ...listed, input: '5.5', cached: '0.55', write: '6.875', output: '27.5' }],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-opus-4-7',
    prices: [{ ...listed, input: '5.5', cached: '0.55', write: '6.875', output: '27.5' }],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-sonnet-5',
    prices: [{ ...listed, input: '2.2', cached: '0.22', write: '2.75', output: '11' }],
  },
  {
    ...gpt5,
    id: 'openai.gpt-5.6-sol',
    contextTokens: 1_000_000,
    prices: [
      {
        ...{ ...listed, from: '2026-08-21' },
        ...{ input: '4.4', cached: '0.44', write: '5.5', output: '22' },
        longContext: long({ input: '8.8', cached: '0.88', write: '11', output: '33' }),
      },
    ],
  },
  {
    ...gpt5,
    id: 'openai.gpt-5.6-terra',
    contextTokens: 1_000_000,
    prices: [
      {
        ...{ ...listed, from: '2026-07-30' },
        ...{ input: '2.2', cached: '0.22', write: '2.75', output: '13.2' },
        longContext: long({ input: '4.4', cached: '0.44', write: '5.5', output: '19.8' }),
      },
    ],
  },
  {
    ...gpt5,
    id: 'openai.gpt-5.6-luna',
    contextTokens: 1_000_000,
    prices: [
      {
        ...{ ...listed, from: '2026-07-30' },
        ...{ input: '0.22', cached: '0.022', write: '0.275', output: '1.32' },
        longContext: long({ input: '0.44', cached: '0.044', write: '0.55', output: '1.98' }),
      },
    ],
  },
  {
    ...gpt5,
    id: 'openai.gpt-5.5',
    contextTokens: 272_000,
    prices: [{ ...listed, input: '5.5', cached: '0.55', write: '5.5', output: '33' }],
  },
  {
    ...gpt5,
    id: 'openai.gpt-5.4',
    contextTokens: 272_000,
    prices: [{ ...listed, input: '2.75', cached: '0.275', write: '2.75', output: '16.5' }],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-120b',
    prices: [{ ...openWeights, input: '0.15', cached: '0.15', write: '0.15', output: '0.6' }],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-20b',
    prices: [{ ...openWeights, input: '0.075', cached: '0.075', write: '0.075', output: '0.3' }],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-safeguard-120b',
    prices: [{ ...openWeights, input: '0.15', cached: '0.15', write: '0.15', output: '0.6' }],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-safeguard-20b',
    prices: [{ ...openWeights, input: '0.075', cached: '0.075', write: '0.075', output: '0.3' }],
  },
];

function long<Rates>(rates: Rates) {
  return { fromInputTokens: 272_001, ...rates };
}
