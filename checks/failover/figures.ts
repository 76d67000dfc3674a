/** What one event came to, in ms from its beginning. */
export interface Outage {
  /** Until another node said to be the primary: Patroni's own time. */
  readonly patroniMs: number;
  /** Until the first answer behind that. */
  readonly backMs: number;
  /** The longest time without an answer to any caller, until the cluster was whole again. */
  readonly pauseMs: number;
}

/** The longest time without an answer between two moments. */
export function longestPause(goodMs: readonly number[], fromMs: number, toMs: number): number {
  const within = goodMs.filter((atMs) => atMs >= fromMs && atMs <= toMs);
  let last = goodMs.findLast((atMs) => atMs < fromMs) ?? fromMs;
  let longest = 0;
  for (const atMs of [...within, toMs]) {
    longest = Math.max(longest, atMs - last);
    last = atMs;
  }
  return longest;
}

/** The middle and the most of some times: `1.2 s, 3.4 s at the most`. */
export function spread(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return `${seconds(middle)}, ${seconds(sorted.at(-1) ?? 0)} at the most`;
}

/** A time in seconds, with one decimal. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Answers a second between two moments. */
export function rate(goodMs: readonly number[], fromMs: number, toMs: number): string {
  const answers = goodMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
  return `${(answers / ((toMs - fromMs) / 1_000)).toFixed(0)}/s`;
}
