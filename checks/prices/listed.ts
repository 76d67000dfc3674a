/** A row with a correct price although a source has another. */
export interface ListedDifference {
  /** For example `openai gpt-6-sol`. */
  readonly row: string;
  readonly source: string;
  /** The vendor's page that has the price of the row. */
  readonly page: string;
  readonly reason: string;
}

const cards = 'https://docs.aws.amazon.com/bedrock/latest/userguide/model-card-openai-gpt';

/**
 * Every accepted difference; a run fails for any other, and for an entry that no longer differs.
 */
export const listedDifferences: readonly ListedDifference[] = [
  {
    row: 'bedrock-mantle openai.gpt-5.5',
    source: 'genai-prices',
    page: `${cards}-55.html`,
    reason: 'it lacks the price above 272,000 tokens, which the model card has',
  },
  {
    row: 'bedrock-mantle openai.gpt-5.4',
    source: 'genai-prices',
    page: `${cards}-54.html`,
    reason: 'it lacks the price above 272,000 tokens, which the model card has',
  },
  {
    row: 'bedrock-mantle anthropic.claude-haiku-4-5',
    source: 'litellm',
    page: 'https://aws.amazon.com/bedrock/pricing/',
    reason: 'it has the price of the global endpoint; a region costs a tenth more',
  },
];
