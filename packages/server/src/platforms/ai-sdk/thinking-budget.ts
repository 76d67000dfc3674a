import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { fieldOf, isRecord, parseJson } from '../../lib/json-value.ts';

/** Anthropic's minimum. Source: platform.claude.com, extended thinking. */
const smallestBudget = 1_024;

/**
 * Anthropic requires a budget below the token maximum; disables thinking when none fits. The
 * library would raise the maximum, but the reservation covers the caller's.
 */
export function thinkingWithin(maxTokens: number, thinking: unknown): unknown {
  if (!isRecord(thinking) || typeof thinking.budget_tokens !== 'number') return thinking;
  if (thinking.budget_tokens < maxTokens) return thinking;
  if (maxTokens <= smallestBudget) return undefined;
  return { ...thinking, budget_tokens: maxTokens - 1 };
}

/**
 * Removes tokens that the package adds for thinking. Throws when the request cannot be changed: it
 * is signed, or in Bedrock's Converse format.
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
      functionality: 'thinking within the maximum tokens; remove the effort',
    });
  }
  const within = { max_tokens: maxTokens, thinking: thinkingWithin(maxTokens, thinking) };
  return JSON.stringify({ ...parsed, ...within });
}
