import type { Doubt } from '../../domain/doubt.ts';
import type { ReportedUsage } from '../model/port.ts';
import { withDoubts } from './reported-usage.ts';
import type { ParsedUsage } from './walk-usage.ts';

const contradictingWrites: Doubt = {
  reason: 'contradicting-counts',
  name: 'usage.cache_creation_input_tokens',
};
export const unknownLifetime: Doubt = { reason: 'cache-lifetime', name: 'usage.cache_creation' };

function lifetimesIn({ counts }: ParsedUsage) {
  return { minutes: counts['written-5m']?.value, hour: counts['written-1h']?.value };
}

export function writtenIn(parsed: ParsedUsage): number | undefined {
  const total = parsed.counts.written?.value;
  const { minutes = 0, hour = 0 } = lifetimesIn(parsed);
  return minutes + hour > (total ?? 0) ? minutes + hour : total;
}

function isContradicted(parsed: ParsedUsage): boolean {
  const total = parsed.counts.written?.value;
  const { minutes, hour } = lifetimesIn(parsed);
  if (total === undefined) return false;
  const parts = (minutes ?? 0) + (hour ?? 0);
  return parts > total || (minutes !== undefined && hour !== undefined && parts < total);
}

/** An hour in the cache costs more than five minutes. */
export function withLifetimes(counts: ReportedUsage, parsed: ParsedUsage): ReportedUsage {
  const { cacheWriteInputTokens: written = 0 } = counts;
  const { minutes, hour } = lifetimesIn(parsed);
  const isNamed = parsed.counts.written?.lines.some((line) => line.hasLifetime) === true;
  if (!isNamed && minutes === undefined && hour === undefined) return counts;
  const isSplit = minutes !== undefined && hour !== undefined && minutes + hour === written;
  const doubts = isContradicted(parsed) ? [contradictingWrites] : [];
  if (written === 0 || (isSplit && hour === 0)) return withDoubts(counts, doubts);
  const cacheWrite1hInputTokens = hour ?? 0;
  if (isSplit) return withDoubts({ ...counts, cacheWrite1hInputTokens }, doubts);
  const usage = cacheWrite1hInputTokens > 0 ? { ...counts, cacheWrite1hInputTokens } : counts;
  return withDoubts(usage, [...doubts, unknownLifetime]);
}
