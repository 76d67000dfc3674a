import { fieldOf } from '../json.ts';
import type { ReportedUsage } from '../port.ts';
import { countOf, reportedUsage } from '../reported-usage.ts';

/**
 * The token counts of a message. Its input leaves both cached kinds out, so all three make the
 * total; where one of them is stated and no count, what was billed is unknown, and none is
 * reported. Source: platforms, 1.8, "usage fields".
 */
export function readUsage(body: unknown): ReportedUsage {
  const usage = fieldOf(body, 'usage');
  const read = fieldOf(usage, 'cache_read_input_tokens');
  const written = fieldOf(usage, 'cache_creation_input_tokens');
  const inputTokens = sumOf([fieldOf(usage, 'input_tokens'), read ?? 0, written ?? 0]);
  const isKnown = inputTokens !== undefined;
  return reportedUsage({
    inputTokens,
    cachedInputTokens: isKnown ? read : undefined,
    cacheWriteInputTokens: isKnown ? written : undefined,
    outputTokens: fieldOf(usage, 'output_tokens'),
    reasoningTokens: fieldOf(fieldOf(usage, 'output_tokens_details'), 'thinking_tokens'),
  });
}

/** Undefined where one of them, or the sum, is no count. */
function sumOf(parts: readonly unknown[]): number | undefined {
  const counts = parts.map(countOf).filter((count) => count !== undefined);
  if (counts.length < parts.length) return undefined;
  return countOf(counts.reduce((sum, count) => sum + count, 0));
}
