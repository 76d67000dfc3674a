import type { Doubt } from '../../domain/doubt.ts';
import { countOf, fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';
import { unknownLifetime } from './lifetimes.ts';
import { type RawUsage, withDoubts } from './reported-usage.ts';

const contradictingTurns: Doubt = { reason: 'contradicting-counts', name: 'usage.iterations' };

export function turnsIn(usage: unknown): readonly Readonly<Record<string, unknown>>[] {
  const iterations = fieldOf(usage, 'iterations');
  if (!Array.isArray(iterations)) return none;
  return iterations.map((turn) => (isRecord(turn) ? turn : {}));
}

const none: readonly [] = [];

/** Turns should add up to the total. Otherwise the larger was billed and the amount is in doubt. */
export function withTurns(
  counts: ReportedUsage,
  turns: readonly (RawUsage & { readonly doubts: readonly Doubt[] })[],
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

const doubtsMax = 32;

/** Undefined when a part or the sum is not a count. */
function sumOf(parts: readonly unknown[]): number | undefined {
  const counts = parts.map(countOf).filter((count) => count !== undefined);
  if (counts.length < parts.length) return undefined;
  return countOf(counts.reduce((sum, count) => sum + count, 0));
}
