import type { VictimCall } from './jobs.ts';

/** The victim's calls, summed up. */
export interface Served {
  readonly calls: number;
  /** The share of calls with the expected response: 0 to 1. */
  readonly answeredShare: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** The share that a victim must keep, and the maximum slowdown compared with no attack. */
export const bar = { answeredShareMin: 0.9, p95TimesMax: 10 } as const;

/** Sums up calls. A lost call took as long as the victim's patience. */
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

/** How many times as long the victim's slow calls take under the attack. */
export function timesSlower(quiet: Served, attacked: Served): number {
  return attacked.p95Ms / quiet.p95Ms;
}

/** Whether the victim got less than it must. Without any figure it is a miss. */
export function isMiss(quiet: Served, attacked: Served): boolean {
  const isAnswered = attacked.answeredShare >= bar.answeredShareMin;
  return !(isAnswered && timesSlower(quiet, attacked) <= bar.p95TimesMax);
}
