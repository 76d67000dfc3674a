import type { ModelRow } from '../model-row.ts';

/*
 * Claude on mantle, which answers in its own region and costs a tenth more than at Anthropic.
 */

const page = 'https://aws.amazon.com/bedrock/pricing/';

/** `from` is the day of reading if the price's first day is unknown. */
const ofPackage = { from: '2026-11-27', source: `genai-prices 0.2.3, aws: ${page}` };
const compared = { from: '2026-11-27', source: `genai-prices 0.2.3 and litellm 1.110.2: ${page}` };

const claude = {
  speaks: ['anthropic-v1-messages'],
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  images: true,
} as const;
/** At first mantle rejected schemas, so these models return output through a tool call. */
const claudeByTool = { ...claude, structuredOutput: 'tool' } as const;
const claudeBySchema = { ...claude, structuredOutput: 'json-schema' } as const;

const fable52 = {
  ...{ inputUsdPerMillion: '8.8', cachedInputUsdPerMillion: '0.22' },
  ...{ cacheWriteUsdPerMillion: { '5m': '11', '1h': '17.6' }, outputUsdPerMillion: '44' },
};
const fable51 = {
  ...{ inputUsdPerMillion: '11', cachedInputUsdPerMillion: '0.275' },
  ...{ cacheWriteUsdPerMillion: { '5m': '13.75', '1h': '22' }, outputUsdPerMillion: '55' },
};
const fable5 = {
  ...{ inputUsdPerMillion: '11', cachedInputUsdPerMillion: '1.1' },
  ...{ cacheWriteUsdPerMillion: { '5m': '13.75', '1h': '22' }, outputUsdPerMillion: '55' },
};
const opus55 = {
  ...{ inputUsdPerMillion: '4.4', cachedInputUsdPerMillion: '0.22' },
  ...{ cacheWriteUsdPerMillion: { '5m': '5.5', '1h': '8.8' }, outputUsdPerMillion: '22' },
};
const opus5 = {
  ...{ inputUsdPerMillion: '5.5', cachedInputUsdPerMillion: '0.55' },
  ...{ cacheWriteUsdPerMillion: { '5m': '6.875', '1h': '11' }, outputUsdPerMillion: '27.5' },
};
const sonnet55 = {
  ...{ inputUsdPerMillion: '2.2', cachedInputUsdPerMillion: '0.11' },
  ...{ cacheWriteUsdPerMillion: { '5m': '2.75', '1h': '4.4' }, outputUsdPerMillion: '11' },
};
const sonnet5 = {
  ...{ inputUsdPerMillion: '2.2', cachedInputUsdPerMillion: '0.22' },
  ...{ cacheWriteUsdPerMillion: { '5m': '2.75', '1h': '4.4' }, outputUsdPerMillion: '11' },
};
const haiku55 = {
  ...{ inputUsdPerMillion: '0.11', cachedInputUsdPerMillion: '0.011' },
  ...{ cacheWriteUsdPerMillion: { '5m': '0.1375', '1h': '0.22' }, outputUsdPerMillion: '0.55' },
  aboveInputTokens: [{ tokens: 100_000, factors: { input: '5', output: '5' } }],
};
const haiku4 = {
  ...{ inputUsdPerMillion: '1.1', cachedInputUsdPerMillion: '0.11' },
  ...{ cacheWriteUsdPerMillion: { '5m': '1.375', '1h': '2.2' }, outputUsdPerMillion: '5.5' },
};

export const mantleClaude: readonly ModelRow[] = [
  { ...claudeBySchema, id: 'anthropic.claude-fable-5-2', prices: [{ ...ofPackage, ...fable52 }] },
  { ...claudeBySchema, id: 'anthropic.claude-fable-5-1', prices: [{ ...ofPackage, ...fable51 }] },
  { ...claudeByTool, id: 'anthropic.claude-fable-5', prices: [{ ...ofPackage, ...fable5 }] },
  { ...claudeBySchema, id: 'anthropic.claude-opus-5-5', prices: [{ ...compared, ...opus55 }] },
  { ...claudeByTool, id: 'anthropic.claude-opus-5', prices: [{ ...ofPackage, ...opus5 }] },
  { ...claudeByTool, id: 'anthropic.claude-opus-4-8', prices: [{ ...ofPackage, ...opus5 }] },
  { ...claudeByTool, id: 'anthropic.claude-opus-4-7', prices: [{ ...ofPackage, ...opus5 }] },
  { ...claudeBySchema, id: 'anthropic.claude-sonnet-5-5', prices: [{ ...compared, ...sonnet55 }] },
  { ...claudeByTool, id: 'anthropic.claude-sonnet-5', prices: [{ ...ofPackage, ...sonnet5 }] },
  { ...claudeBySchema, id: 'anthropic.claude-haiku-5-5', prices: [{ ...compared, ...haiku55 }] },
  {
    ...{ ...claudeByTool, id: 'anthropic.claude-haiku-4-5' },
    ...{ contextTokens: 200_000, maxOutputTokens: 64_000 },
    prices: [{ ...ofPackage, ...haiku4 }],
  },
];
