import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ReportedUsage } from './port.ts';

/**
 * Token counts as an answer states them: each of them anything. A side whose parts are more than
 * their whole is not reported: some servers leave cached or reasoning tokens out of the total, and
 * nobody can tell what they billed.
 */
export function reportedUsage(stated: Record<keyof ReportedUsage, unknown>): ReportedUsage {
  const inputTokens = countOf(stated.inputTokens);
  const cachedInputTokens = countOf(stated.cachedInputTokens);
  const cacheWriteInputTokens = countOf(stated.cacheWriteInputTokens);
  const outputTokens = countOf(stated.outputTokens);
  const reasoningTokens = countOf(stated.reasoningTokens);
  const cached = (cachedInputTokens ?? 0) + (cacheWriteInputTokens ?? 0);
  const isInput = cached <= (inputTokens ?? Number.MAX_SAFE_INTEGER);
  const isOutput = (reasoningTokens ?? 0) <= (outputTokens ?? Number.MAX_SAFE_INTEGER);
  return {
    inputTokens: isInput ? inputTokens : undefined,
    cachedInputTokens: isInput ? cachedInputTokens : undefined,
    cacheWriteInputTokens: isInput ? cacheWriteInputTokens : undefined,
    outputTokens: isOutput ? outputTokens : undefined,
    reasoningTokens: isOutput ? reasoningTokens : undefined,
  };
}

/** A string, a fraction, a negative or one beyond 2^53 is no count. Zero is. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The counts in the form that every AI SDK model gives them in. */
export function usageOf(usage: ReportedUsage): LanguageModelV4GenerateResult['usage'] {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens } = usage;
  const { outputTokens, reasoningTokens } = usage;
  const cached = (cachedInputTokens ?? 0) + (cacheWriteInputTokens ?? 0);
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens === undefined ? undefined : inputTokens - cached,
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteInputTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0),
      reasoning: reasoningTokens,
    },
  };
}
