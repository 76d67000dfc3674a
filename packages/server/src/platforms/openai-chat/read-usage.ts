import { isRecord } from '../json.ts';
import type { ReportedUsage } from '../port.ts';

/**
 * The token counts of a chat completion, as the platform wrote them. A side whose parts are more
 * than their whole is not reported: some servers leave cached or reasoning tokens out of the total,
 * and nobody can tell what they billed. Source: platforms, 1.8, "usage fields".
 */
export function readUsage(body: unknown): ReportedUsage {
  const usage = fieldOf(body, 'usage');
  const input = fieldOf(usage, 'prompt_tokens_details');
  const output = fieldOf(usage, 'completion_tokens_details');
  return {
    ...readInput({
      inputTokens: countOf(fieldOf(usage, 'prompt_tokens')),
      cachedInputTokens: countOf(fieldOf(input, 'cached_tokens')),
      cacheWriteInputTokens: countOf(fieldOf(input, 'cache_write_tokens')),
    }),
    ...readOutput({
      outputTokens: countOf(fieldOf(usage, 'completion_tokens')),
      reasoningTokens: countOf(fieldOf(output, 'reasoning_tokens')),
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

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** A string, a fraction, a negative or one beyond 2^53 is no count. Zero is. */
function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
