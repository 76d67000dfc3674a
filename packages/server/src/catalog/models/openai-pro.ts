import type { ModelRow } from '../model-row.ts';
import { residency } from './openai-regions.ts';

/*
 * OpenAI's pro models, which it serves on responses alone, and of which it keeps no input. Above
 * 272,000 tokens of input the newer two bill the whole call at the longContext rates.
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
} as const;

/** Pro models of OpenAI's own API. */
export const openAiProModels: readonly ModelRow[] = [
  longRow('gpt-5.5-pro'),
  longRow('gpt-5.4-pro'),
  row('gpt-5.2-pro', { input: '21', output: '168' }),
  { ...row('gpt-5-pro', { input: '15', output: '120' }), retires: '2026-12-11' },
];

interface Rates {
  readonly input: string;
  readonly output: string;
}

function row(id: string, { input, output }: Rates): ModelRow {
  return { ...pro, id, prices: [{ ...compared, input, cached: input, write: input, output }] };
}

function longRow(id: string): ModelRow {
  const own = { ...compared, input: '30', cached: '30', write: '30', output: '180' };
  const rates = { input: '60', cached: '60', write: '60', output: '270' };
  const longContext = { fromInputTokens: 272_001, ...rates };
  const prices = [{ ...own, longContext }] as const;
  return { ...pro, id, contextTokens: 1_050_000, regions: residency, prices };
}
