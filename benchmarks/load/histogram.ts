import { createHistogram as createRecordable } from 'node:perf_hooks';

/** Latencies in buckets at most 0.1 % wide: little memory for any number of latencies. */
export interface Histogram {
  add(milliseconds: number): void;
  /** The latency that a share of all (0.5, 0.99) is below; 0 without any. */
  quantileMs(share: number): number;
  maxMs(): number;
  count(): number;
}

/** More than any call takes: longer latencies count as this. */
const longestMicroseconds = 2 ** 30;

export function createHistogram(): Histogram {
  const microseconds = createRecordable({ figures: 3, highest: longestMicroseconds });
  return {
    add(milliseconds) {
      const whole = Math.max(1, Math.round(milliseconds * 1_000));
      microseconds.record(Math.min(whole, longestMicroseconds));
    },
    quantileMs: (share) =>
      microseconds.count === 0 ? 0 : microseconds.percentile(share * 100) / 1_000,
    maxMs: () => microseconds.max / 1_000,
    count: () => microseconds.count,
  };
}
