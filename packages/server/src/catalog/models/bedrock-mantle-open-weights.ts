import type { ModelRow } from '../model-row.ts';

/*
 * Models of mantle other than Claude and GPT. AWS prices them by region. These are the prices of
 * us-east-1, the only ones in a public list for the ids of mantle. `retires` is the day of
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-lifecycle-legacy.html.
 */

const offers =
  'https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonBedrock/current/us-east-1/index.json';

const former = {
  from: '2026-11-21',
  source: 'https://docs.litellm.ai/docs/providers/bedrock_mantle',
};
const listed = { from: '2026-11-27', source: `litellm 1.110.2: ${offers}` };

const text = {
  speaks: ['v1-chat'],
  images: false,
  // gpt-oss supports only the tool choice auto.
  structuredOutput: 'json-schema',
} as const;
const gptOss = { ...text, contextTokens: 128_000, defaultMaxTokens: 32_000 };
const frontier = {
  speaks: ['openai-v1-responses'],
  images: true,
  structuredOutput: 'json-schema',
} as const;

const grok43 = {
  ...{ inputUsdPerMillion: '1.25', cachedInputUsdPerMillion: '0.2' },
  outputUsdPerMillion: '2.5',
};
const grok46 = {
  ...{ inputUsdPerMillion: '2.2', cachedInputUsdPerMillion: '0.55' },
  outputUsdPerMillion: '6.6',
};

export const mantleOpenWeights: readonly ModelRow[] = [
  {
    ...gptOss,
    id: 'openai.gpt-oss-120b',
    prices: [{ ...former, inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.6' }],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-20b',
    prices: [
      { ...former, inputUsdPerMillion: '0.075', outputUsdPerMillion: '0.3' },
      { ...listed, inputUsdPerMillion: '0.07', outputUsdPerMillion: '0.3' },
    ],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-safeguard-120b',
    prices: [{ ...former, inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.6' }],
  },
  {
    ...gptOss,
    id: 'openai.gpt-oss-safeguard-20b',
    prices: [
      { ...former, inputUsdPerMillion: '0.075', outputUsdPerMillion: '0.3' },
      { ...listed, inputUsdPerMillion: '0.07', outputUsdPerMillion: '0.2' },
    ],
  },
  {
    ...{ ...frontier, id: 'google.gemma-4-31b', contextTokens: 256_000 },
    prices: [{ ...listed, inputUsdPerMillion: '0.14', outputUsdPerMillion: '0.4' }],
  },
  {
    ...{ ...frontier, id: 'google.gemma-4-26b-a4b', contextTokens: 256_000 },
    prices: [{ ...listed, inputUsdPerMillion: '0.13', outputUsdPerMillion: '0.4' }],
  },
  {
    ...{ ...frontier, id: 'google.gemma-4-e2b', contextTokens: 128_000 },
    prices: [{ ...listed, inputUsdPerMillion: '0.04', outputUsdPerMillion: '0.08' }],
  },
  {
    defaultMaxTokens: 32_000,
    ...{ ...frontier, id: 'xai.grok-4.3', contextTokens: 1_048_576 },
    prices: [{ ...listed, ...grok43 }],
  },
  {
    defaultMaxTokens: 32_000,
    ...{ ...frontier, id: 'xai.grok-4.6', contextTokens: 500_000 },
    prices: [{ ...listed, ...grok46 }],
  },
  {
    defaultMaxTokens: 32_000,
    ...{ ...frontier, id: 'xai.grok-4.7', contextTokens: 524_288 },
    prices: [{ ...listed, ...grok46 }],
  },
  {
    ...{ ...text, id: 'qwen.qwen3-235b-a22b-2507', contextTokens: 256_000 },
    prices: [{ ...listed, inputUsdPerMillion: '0.22', outputUsdPerMillion: '0.88' }],
  },
  {
    ...{ ...text, id: 'qwen.qwen3-32b', contextTokens: 32_000 },
    prices: [{ ...listed, inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.6' }],
  },
  {
    ...{ ...text, id: 'qwen.qwen3-coder-30b-a3b-instruct', contextTokens: 256_000 },
    retires: '2027-03-30',
    prices: [{ ...listed, inputUsdPerMillion: '0.15', outputUsdPerMillion: '0.6' }],
  },
  {
    ...{ ...text, id: 'qwen.qwen3-coder-480b-a35b-instruct', contextTokens: 262_144 },
    retires: '2027-03-30',
    prices: [{ ...listed, inputUsdPerMillion: '0.45', outputUsdPerMillion: '1.8' }],
  },
  {
    ...{ ...text, id: 'qwen.qwen3-next-80b-a3b-instruct', contextTokens: 256_000 },
    prices: [{ ...listed, inputUsdPerMillion: '0.14', outputUsdPerMillion: '1.2' }],
  },
  {
    ...{ ...text, id: 'qwen.qwen3-vl-235b-a22b-instruct', contextTokens: 256_000, images: true },
    prices: [{ ...listed, inputUsdPerMillion: '0.53', outputUsdPerMillion: '2.66' }],
  },
  {
    ...{ ...text, id: 'deepseek.v3.1', contextTokens: 128_000 },
    retires: '2027-03-30',
    prices: [{ ...listed, inputUsdPerMillion: '0.58', outputUsdPerMillion: '1.68' }],
  },
  {
    ...{ ...text, id: 'moonshotai.kimi-k2-thinking', contextTokens: 256_000 },
    defaultMaxTokens: 32_000,
    retires: '2027-03-30',
    prices: [{ ...listed, inputUsdPerMillion: '0.6', outputUsdPerMillion: '2.5' }],
  },
];
