import type { VictimCall } from './jobs.ts';

/** The calls of a victim, added up. */
export interface Served {
  readonly calls: number;
  /** The part of all calls that were answered as expected: 0 to 1. */
  readonly answeredShare: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** What a victim must keep, and how much slower its calls may be than without an attack. */
export const bar = { answeredShareMin: 0.9, p95TimesMax: 10 } as const;

/** Adds calls up. A lost call took as long as the victim waits for one. */
export function servedOf(calls: readonly VictimCall[]): Served {
  const times = calls.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const answered = calls.filter(({ isAnswered }) => isAnswered).length;
  return {
    calls: calls.length,
    answeredShare: calls.length === 0 ? 0 : answered / calls.length,
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
  };
}

/** The smallest of sorted values that at least this share of them does not exceed. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** How many times as long the slow calls of the victim take as without the attack. */
export function timesSlower(quiet: Served, attacked: Served): number {
  return attacked.p95Ms / quiet.p95Ms;
}

/** Whether the victim got less than it must. No figure at all is a miss. */
export function isMiss(quiet: Served, attacked: Served): boolean {
  const isAnswered = attacked.answeredShare >= bar.answeredShareMin;
  return !(isAnswered && timesSlower(quiet, attacked) <= bar.p95TimesMax);
}
