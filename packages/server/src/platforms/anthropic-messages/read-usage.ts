import type { Doubt } from '../../domain/doubt.ts';
import { countOf, fieldOf } from '../../lib/json-value.ts';
import { reportedUsage, withDoubts } from '../evidence/reported-usage.ts';
import type { ReportedUsage } from '../port.ts';

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

const unknownLifetime: Doubt = { reason: 'cache-lifetime', name: 'usage.cache_creation' };
const contradictingWrites: Doubt = {
  reason: 'contradicting-counts',
  name: 'usage.cache_creation_input_tokens',
};
const contradictingTurns: Doubt = { reason: 'contradicting-counts', name: 'usage.iterations' };

/** Whether the total of the cache writes, where it is stated, is another than that of its parts. */
function isContradicted(usage: unknown): boolean {
  const total = countOf(fieldOf(usage, 'cache_creation_input_tokens'));
  const { minutes, hour } = lifetimesIn(usage);
  if (total === undefined) return false;
  const parts = (minutes ?? 0) + (hour ?? 0);
  return parts > total || (minutes !== undefined && hour !== undefined && parts < total);
}

/** For how long what was written to the cache is kept: an hour costs more than five minutes. */
function withLifetimes(counts: ReportedUsage, usage: unknown): ReportedUsage {
  const { cacheWriteInputTokens: written = 0 } = counts;
  const { minutes, hour } = lifetimesIn(usage);
  const isSplit = minutes !== undefined && hour !== undefined && minutes + hour === written;
  const doubts = isContradicted(usage) ? [contradictingWrites] : [];
  if (written === 0 || (isSplit && hour === 0)) return withDoubts(counts, doubts);
  const cacheWrite1hInputTokens = hour ?? 0;
  if (isSplit) return withDoubts({ ...counts, cacheWrite1hInputTokens }, doubts);
  const stated = cacheWrite1hInputTokens > 0 ? { ...counts, cacheWrite1hInputTokens } : counts;
  return withDoubts(stated, [...doubts, unknownLifetime]);
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
  const { inputTokens, outputTokens, cacheWriteInputTokens } = counts;
  const isWritten = written === (cacheWriteInputTokens ?? 0);
  if (input === inputTokens && output === outputTokens && isWritten) return counts;
  const larger = {
    ...counts,
    inputTokens: inputTokens && Math.max(inputTokens, input ?? 0),
    outputTokens: outputTokens && Math.max(outputTokens, output ?? 0),
    cacheWriteInputTokens: Math.max(cacheWriteInputTokens ?? 0, written ?? 0),
  };
  return withDoubts(
    larger,
    isWritten ? [contradictingTurns] : [contradictingTurns, unknownLifetime],
  );
}

/** Undefined where one of them, or the sum, is no count. */
function sumOf(parts: readonly unknown[]): number | undefined {
  const counts = parts.map(countOf).filter((count) => count !== undefined);
  if (counts.length < parts.length) return undefined;
  return countOf(counts.reduce((sum, count) => sum + count, 0));
}
