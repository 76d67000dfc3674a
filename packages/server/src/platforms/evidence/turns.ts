import type { Doubt } from '../../domain/doubt.ts';
import { countOf, fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';
import { unknownLifetime } from './lifetimes.ts';
import { type StatedUsage, withDoubts } from './reported-usage.ts';

const contradictingTurns: Doubt = { reason: 'contradicting-counts', name: 'usage.iterations' };

/** The turns of the model that an answer took, where it says what each has used. */
export function turnsIn(usage: unknown): readonly Readonly<Record<string, unknown>>[] {
  const iterations = fieldOf(usage, 'iterations');
  if (!Array.isArray(iterations)) return none;
  return iterations.map((turn) => (isRecord(turn) ? turn : {}));
}

const none: readonly [] = [];

/**
 * Some answers take several turns of the model, and say what each has used. They make the total;
 * where they do not, the larger of both was billed, and what was is not known exactly.
 */
export function withTurns(
  counts: ReportedUsage,
  turns: readonly (StatedUsage & { readonly doubts: readonly Doubt[] })[],
): ReportedUsage {
  const input = sumOf(turns.map((turn) => turn.inputTokens));
  const output = sumOf(turns.map((turn) => turn.outputTokens));
  const written = sumOf(turns.map((turn) => turn.cacheWriteInputTokens ?? 0));
  const { inputTokens, outputTokens, cacheWriteInputTokens } = counts;
  const isWritten = written === (cacheWriteInputTokens ?? 0);
  const doubts = turns.flatMap((turn) => turn.doubts).slice(0, doubtsMax);
  if (input === inputTokens && output === outputTokens && isWritten)
    return withDoubts(counts, doubts);
  const larger = {
    ...counts,
    inputTokens: inputTokens && Math.max(inputTokens, input ?? 0),
    outputTokens: outputTokens && Math.max(outputTokens, output ?? 0),
    cacheWriteInputTokens: Math.max(cacheWriteInputTokens ?? 0, written ?? 0),
  };
  const own = isWritten ? [contradictingTurns] : [contradictingTurns, unknownLifetime];
  return withDoubts(larger, [...own, ...doubts]);
}

/** More of them say nothing new. */
const doubtsMax = 32;

/** Undefined where one of them, or the sum, is no count. */
function sumOf(parts: readonly unknown[]): number | undefined {
  const counts = parts.map(countOf).filter((count) => count !== undefined);
  if (counts.length < parts.length) return undefined;
  return countOf(counts.reduce((sum, count) => sum + count, 0));
}
