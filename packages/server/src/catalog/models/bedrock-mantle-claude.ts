import type { ModelRow } from '../model-row.ts';

/*
 * Claude on mantle, which answers in its own region and costs a tenth more than at Anthropic. USD
 * per million tokens of input, of input that was cached, of input that is written to the cache for
 * five minutes and for an hour, and of output. Claude Haiku 5.5 bills the whole call at the
 * longContext rates above 100,000 tokens of input.
 */

const page = 'https://aws.amazon.com/bedrock/pricing/';

/** `from` is the day on which the price was read, where no day of its own is known. */
const ofPackage = { from: '2026-11-27', source: `genai-prices 0.2.3, aws: ${page}` };
const compared = { from: '2026-11-27', source: `genai-prices 0.2.3 and litellm 1.110.2: ${page}` };

const claude = {
  speaks: ['anthropic-v1-messages'],
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  images: true,
} as const;
/** Schemas were refused at first, so models that can be made to call a tool answer by one. */
const claudeByTool = { ...claude, structuredOutput: 'tool' } as const;
const claudeBySchema = { ...claude, structuredOutput: 'json-schema' } as const;
/** Models of Anthropic on mantle. */
export const mantleClaude: readonly ModelRow[] = [
  {
    ...claudeBySchema,
    id: 'anthropic.claude-fable-5-2',
    prices: [
      {
        ...ofPackage,
        ...{ input: '8.8', cached: '0.22', write: '11', write1h: '17.6', output: '44' },
      },
    ],
  },
  {
    ...claudeBySchema,
    id: 'anthropic.claude-fable-5-1',
    prices: [
      {
        ...ofPackage,
        ...{ input: '11', cached: '0.275', write: '13.75', write1h: '22', output: '55' },
      },
    ],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-fable-5',
    prices: [
      {
        ...ofPackage,
        ...{ input: '11', cached: '1.1', write: '13.75', write1h: '22', output: '55' },
      },
    ],
  },
  {
    ...claudeBySchema,
    id: 'anthropic.claude-opus-5-5',
    prices: [
      {
        ...compared,
        ...{ input: '4.4', cached: '0.22', write: '5.5', write1h: '8.8', output: '22' },
      },
    ],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-opus-5',
    prices: [
      {
        ...ofPackage,
        ...{ input: '5.5', cached: '0.55', write: '6.875', write1h: '11', output: '27.5' },
      },
    ],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-opus-4-8',
    prices: [
      {
        ...ofPackage,
        ...{ input: '5.5', cached: '0.55', write: '6.875', write1h: '11', output: '27.5' },
      },
    ],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-opus-4-7',
    prices: [
      {
        ...ofPackage,
        ...{ input: '5.5', cached: '0.55', write: '6.875', write1h: '11', output: '27.5' },
      },
    ],
  },
  {
    ...claudeBySchema,
    id: 'anthropic.claude-sonnet-5-5',
    prices: [
      {
        ...compared,
        ...{ input: '2.2', cached: '0.11', write: '2.75', write1h: '4.4', output: '11' },
      },
    ],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-sonnet-5',
    prices: [
      {
        ...ofPackage,
        ...{ input: '2.2', cached: '0.22', write: '2.75', write1h: '4.4', output: '11' },
      },
    ],
  },
  {
    ...claudeBySchema,
    id: 'anthropic.claude-haiku-5-5',
    prices: [
      {
        ...compared,
        ...{ input: '0.11', cached: '0.011', write: '0.1375', write1h: '0.22', output: '0.55' },
        longContext: {
          fromInputTokens: 100_001,
          ...{ input: '0.55', cached: '0.055', write: '0.6875', write1h: '1.1', output: '2.75' },
        },
      },
    ],
  },
  {
    ...claudeByTool,
    id: 'anthropic.claude-haiku-4-5',
    ...{ contextTokens: 200_000, maxOutputTokens: 64_000 },
    prices: [
      {
        ...ofPackage,
        ...{ input: '1.1', cached: '0.11', write: '1.375', write1h: '2.2', output: '5.5' },
      },
    ],
  },
];
