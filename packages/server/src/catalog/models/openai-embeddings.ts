import type { ModelRow } from '../model-row.ts';

/*
 * Embeddings of OpenAI's own API: USD per million tokens of input.
 */

const genaiPrices =
  '@pydantic/genai-prices 0.1.8, openai: https://developers.openai.com/api/docs/pricing';

const embedding = {
  kind: 'embeddings',
  structuredOutput: 'json-schema',
  images: false,
  contextTokens: 8_191,
} as const;

export const openAiEmbeddings: readonly ModelRow[] = [
  embeddingRow('text-embedding-3-large', '0.13'),
  embeddingRow('text-embedding-3-small', '0.02'),
  // The model's own page was unavailable; the package has the price from the price list.
  embeddingRow('text-embedding-ada-002', '0.1', `price list, by ${genaiPrices}`),
];

function embeddingRow(
  id: string,
  inputUsdPerMillion: string,
  source = `https://developers.openai.com/api/docs/models/${id}`,
): ModelRow {
  const rates = { inputUsdPerMillion, outputUsdPerMillion: '0' };
  return { ...embedding, id, prices: [{ from: '2026-11-21', source, ...rates }] };
}
