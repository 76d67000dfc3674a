import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import type { ReportedUsage } from './port.ts';

/**
 * Token counts as an answer states them: each of them anything. A side whose parts are more than
 * their whole is not reported: some servers leave cached or reasoning tokens out of the total, and
 * nobody can tell what they billed.
 */
export function reportedUsage(stated: Record<keyof ReportedUsage, unknown>): ReportedUsage {
  return {
    ...readInput({
      inputTokens: countOf(stated.inputTokens),
      cachedInputTokens: countOf(stated.cachedInputTokens),
      cacheWriteInputTokens: countOf(stated.cacheWriteInputTokens),
    }),
    ...readOutput({
      outputTokens: countOf(stated.outputTokens),
      reasoningTokens: countOf(stated.reasoningTokens),
    }),
  };
}

type InputCounts = Pick<
  ReportedUsage,
  'inputTokens' | 'cachedInputTokens' | 'cacheWriteInputTokens'
>;

function readInput(counts: InputCounts): InputCounts {
  const { inputTokens = Number.MAX_SAFE_INTEGER } = counts;
  const parts = (counts.cachedInputTokens ?? 0) + (counts.cacheWriteInputTokens ?? 0);
  if (parts <= inputTokens) return counts;
  return {
    inputTokens: undefined,
    cachedInputTokens: undefined,
    cacheWriteInputTokens: undefined,
  };
}

type OutputCounts = Pick<ReportedUsage, 'outputTokens' | 'reasoningTokens'>;

function readOutput(counts: OutputCounts): OutputCounts {
  const { outputTokens = Number.MAX_SAFE_INTEGER } = counts;
  if ((counts.reasoningTokens ?? 0) <= outputTokens) return counts;
  return { outputTokens: undefined, reasoningTokens: undefined };
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
