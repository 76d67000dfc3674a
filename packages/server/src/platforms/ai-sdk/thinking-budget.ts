import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { fieldOf, isRecord, parseJson } from '../../lib/json-value.ts';

/** The smallest budget that Anthropic takes. Source: platform.claude.com, extended thinking. */
const smallestBudget = 1_024;

/**
 * A budget for thinking below the maximum of tokens, as Anthropic requires; no thinking where none
 * fits. The library raises the maximum instead, but a call is reserved with its caller's.
 */
export function thinkingWithin(maxTokens: number, thinking: unknown): unknown {
  if (!isRecord(thinking) || typeof thinking.budget_tokens !== 'number') return thinking;
  if (thinking.budget_tokens < maxTokens) return thinking;
  if (maxTokens <= smallestBudget) return undefined;
  return { ...thinking, budget_tokens: maxTokens - 1 };
}

/**
 * A package's request without the tokens that it adds for thinking. Throws where it cannot be
 * changed, since it is signed, or in the words of Bedrock's Converse.
 */
export function bodyWithin(maxTokens: number, body: string, isSigned: boolean): string {
  if (!body.includes('"budget_tokens"')) return body;
  const parsed = parseJson(body)?.value;
  if (!isRecord(parsed)) return body;
  const { max_tokens, thinking, inferenceConfig } = parsed;
  const requested = Number(max_tokens ?? fieldOf(inferenceConfig, 'maxTokens'));
  if (!(requested > maxTokens)) return body;
  if (isSigned || max_tokens === undefined) {
    throw new UnsupportedFunctionalityError({
      functionality: 'thinking within the maximum of tokens; leave the effort out',
    });
  }
  const within = { max_tokens: maxTokens, thinking: thinkingWithin(maxTokens, thinking) };
  return JSON.stringify({ ...parsed, ...within });
}
