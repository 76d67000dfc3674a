import type { ModelRow } from '../model-row.ts';

/*
 * Anthropic's own API. USD per million tokens of input, of input that was cached, of input that is
 * written to the cache for five minutes and for an hour, and of output. Claude Haiku 5.5 bills the
 * whole call at the longContext rates above 100,000 tokens of input. The other models have one rate
 * for the whole context.
 *
 * `retires` is the day of https://platform.claude.com/docs/en/about-claude/model-deprecations.
 *
 * Limits were read on the models' pages below https://platform.claude.com/docs/en/models, those of
 * the 4.5 family in @ai-sdk/anthropic 4.0.105.
 */

const page = 'https://platform.claude.com/docs/en/about-claude/pricing';

/** `from` is the day on which the price was read, where no day of its own is known. */
const listed = {
  from: '2026-11-21',
  source: `@pydantic/genai-prices 0.1.8, anthropic: ${page}`,
};

const compared = { from: '2026-11-27', source: `genai-prices 0.2.3 and litellm 1.110.2: ${page}` };

const json = { structuredOutput: 'json-schema', images: true } as const;
/**
 * The US alone cost a tenth more from Opus 4.6 on. Source:
 * https://platform.claude.com/docs/en/manage-claude/data-residency
 */
const large = {
  ...{ ...json, contextTokens: 1_000_000, maxOutputTokens: 128_000 },
  regions: { us: '1.1' },
};
const small = { ...json, contextTokens: 200_000, maxOutputTokens: 64_000 };

/** Models of Anthropic's own API. */
export const anthropicModels: readonly ModelRow[] = [
  {
    ...large,
    id: 'claude-fable-5-2',
    prices: [
      {
        ...{ from: '2026-11-27', source: `genai-prices 0.2.3: ${page}` },
        ...{ input: '8', cached: '0.2', write: '10', write1h: '16', output: '40' },
      },
    ],
  },
  {
    ...large,
    id: 'claude-sonnet-5-5',
    prices: [{ ...compared, input: '2', cached: '0.1', write: '2.5', write1h: '4', output: '10' }],
  },
  {
    ...large,
    id: 'claude-haiku-5-5',
    prices: [
      {
        ...compared,
        ...{ input: '0.1', cached: '0.01', write: '0.125', write1h: '0.2', output: '0.5' },
        longContext: {
          fromInputTokens: 100_001,
          ...{ input: '0.5', cached: '0.05', write: '0.625', write1h: '1', output: '2.5' },
        },
      },
    ],
  },
  {
    ...large,
    id: 'claude-fable-5-1',
    prices: [
      { ...listed, input: '10', cached: '0.25', write: '12.5', write1h: '20', output: '50' },
    ],
  },
  {
    ...large,
    id: 'claude-fable-5',
    prices: [{ ...listed, input: '10', cached: '1', write: '12.5', write1h: '20', output: '50' }],
  },
  {
    ...large,
    id: 'claude-opus-5-5',
    prices: [{ ...listed, input: '4', cached: '0.2', write: '5', write1h: '8', output: '20' }],
  },
  {
    ...large,
    id: 'claude-opus-5',
    prices: [{ ...listed, input: '5', cached: '0.5', write: '6.25', write1h: '10', output: '25' }],
  },
  {
    ...large,
    id: 'claude-opus-4-8',
    prices: [{ ...listed, input: '5', cached: '0.5', write: '6.25', write1h: '10', output: '25' }],
  },
  {
    ...large,
    id: 'claude-opus-4-7',
    prices: [{ ...listed, input: '5', cached: '0.5', write: '6.25', write1h: '10', output: '25' }],
  },
  {
    ...large,
    id: 'claude-opus-4-6',
    prices: [
      {
        ...{ ...listed, from: '2026-03-13' },
        ...{ input: '5', cached: '0.5', write: '6.25', write1h: '10', output: '25' },
      },
    ],
  },
  {
    ...small,
    ...{ id: 'claude-opus-4-5', retires: '2027-01-22' },
    prices: [{ ...listed, input: '5', cached: '0.5', write: '6.25', write1h: '10', output: '25' }],
  },
  {
    ...large,
    id: 'claude-sonnet-5',
    prices: [{ ...listed, input: '2', cached: '0.2', write: '2.5', write1h: '4', output: '10' }],
  },
  {
    ...large,
    id: 'claude-sonnet-4-6',
    prices: [
      {
        ...{ ...listed, from: '2026-03-13' },
        ...{ input: '3', cached: '0.3', write: '3.75', write1h: '6', output: '15' },
      },
    ],
  },
  {
    ...small,
    // Its longer context has ended, and with it the dearer rates that the package still has.
    ...{ id: 'claude-sonnet-4-5', retires: '2026-11-30' },
    prices: [
      {
        ...{ from: '2026-11-21', source: page },
        ...{ input: '3', cached: '0.3', write: '3.75', write1h: '6', output: '15' },
      },
    ],
  },
  {
    ...small,
    id: 'claude-haiku-4-5',
    prices: [{ ...listed, input: '1', cached: '0.1', write: '1.25', write1h: '2', output: '5' }],
  },
];
