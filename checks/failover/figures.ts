/** The times of one event, in ms from its beginning. */
export interface Outage {
  /** Until another node reported to be the primary: Patroni's own time. */
  readonly patroniMs: number;
  /** From then until the first response. */
  readonly backMs: number;
  /** The longest time without a response to any caller, until the cluster was whole again. */
  readonly pauseMs: number;
}

/** The longest time without a response between two times. */
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

/** The median and the maximum of some times: `1.2 s, 3.4 s at the most`. */
export function spread(timesMs: readonly number[]): string {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  return `${seconds(middle)}, ${seconds(sorted.at(-1) ?? 0)} at the most`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Responses a second between two times. */
export function rate(goodMs: readonly number[], fromMs: number, toMs: number): string {
  const answers = goodMs.filter((atMs) => atMs >= fromMs && atMs < toMs).length;
  return `${(answers / ((toMs - fromMs) / 1_000)).toFixed(0)}/s`;
}
