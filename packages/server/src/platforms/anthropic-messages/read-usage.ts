import { fieldOf } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../port.ts';
import { countOf, reportedUsage } from '../reported-usage.ts';

/**
 * The token counts of a message. Its input leaves both cached kinds out, so all three make the
 * total; where one of them is stated and no count, what was billed is unknown, and none is
 * reported. Source: platforms, 1.8, "usage fields".
 */
export function readUsage(body: unknown): ReportedUsage {
  const usage = fieldOf(body, 'usage');
  const counts = reportedUsage({
    ...countsIn(usage),
    reasoningTokens: fieldOf(fieldOf(usage, 'output_tokens_details'), 'thinking_tokens'),
  });
  return withIterations(withLifetimes(counts, usage), usage);
}

function countsIn(usage: unknown) {
  const read = fieldOf(usage, 'cache_read_input_tokens');
  const written = writtenIn(usage);
  const inputTokens = sumOf([fieldOf(usage, 'input_tokens'), read ?? 0, written ?? 0]);
  const isKnown = inputTokens !== undefined;
  return {
    inputTokens,
    cachedInputTokens: isKnown ? read : undefined,
    cacheWriteInputTokens: isKnown ? written : undefined,
    outputTokens: fieldOf(usage, 'output_tokens'),
  };
}

/** The total, and no less than its two parts. */
function writtenIn(usage: unknown): unknown {
  const total = fieldOf(usage, 'cache_creation_input_tokens');
  const { minutes = 0, hour = 0 } = lifetimesIn(usage);
  const isLess = (countOf(total ?? 0) ?? hour + minutes) < hour + minutes;
  return isLess ? hour + minutes : total;
}

function lifetimesIn(usage: unknown) {
  const creation = fieldOf(usage, 'cache_creation');
  return {
    minutes: countOf(fieldOf(creation, 'ephemeral_5m_input_tokens')),
    hour: countOf(fieldOf(creation, 'ephemeral_1h_input_tokens')),
  };
}

/** For how long what was written to the cache is kept: an hour costs more than five minutes. */
function withLifetimes(counts: ReportedUsage, usage: unknown): ReportedUsage {
  const { cacheWriteInputTokens: written = 0 } = counts;
  const { minutes, hour } = lifetimesIn(usage);
  const isSplit = minutes !== undefined && hour !== undefined && minutes + hour === written;
  if (written === 0 || (isSplit && hour === 0)) return counts;
  const cacheWrite1hInputTokens = hour ?? 0;
  return isSplit
    ? { ...counts, cacheWrite1hInputTokens }
    : {
        ...counts,
        hasLifetimes: false,
        ...(cacheWrite1hInputTokens > 0 && { cacheWrite1hInputTokens }),
      };
}

/**
 * Some answers take several turns of the model, and say what each has used. They make the total;
 * where they do not, the larger of both was billed, and what was is not known exactly.
 */
function withIterations(counts: ReportedUsage, usage: unknown): ReportedUsage {
  const iterations = fieldOf(usage, 'iterations');
  if (!Array.isArray(iterations) || iterations.length === 0) return counts;
  const each = iterations.map(countsIn);
  const input = sumOf(each.map(({ inputTokens }) => inputTokens));
  const output = sumOf(each.map(({ outputTokens }) => outputTokens));
  const written = sumOf(each.map(({ cacheWriteInputTokens }) => cacheWriteInputTokens ?? 0));
  const { inputTokens, outputTokens, cacheWriteInputTokens, consistency } = counts;
  const isWritten = written === (cacheWriteInputTokens ?? 0);
  if (input === inputTokens && output === outputTokens && isWritten) return counts;
  return {
    ...counts,
    inputTokens: inputTokens && Math.max(inputTokens, input ?? 0),
    outputTokens: outputTokens && Math.max(outputTokens, output ?? 0),
    cacheWriteInputTokens: Math.max(cacheWriteInputTokens ?? 0, written ?? 0),
    ...(!isWritten && { hasLifetimes: false }),
    consistency: consistency === 'exact' ? 'surplus' : consistency,
  };
}

/** Undefined where one of them, or the sum, is no count. */
function sumOf(parts: readonly unknown[]): number | undefined {
  const counts = parts.map(countOf).filter((count) => count !== undefined);
  if (counts.length < parts.length) return undefined;
  return countOf(counts.reduce((sum, count) => sum + count, 0));
}
