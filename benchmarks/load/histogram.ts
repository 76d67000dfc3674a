/** Latencies in buckets that are at most 0.8 % wide: little memory, whatever their number. */
export interface Histogram {
  add(milliseconds: number): void;
  /** The latency that a share of all (0.5, 0.99) is below. */
  quantileMs(share: number): number;
  maxMs(): number;
  count(): number;
}

/** Buckets for each power of two. */
const stepsPerOctave = 128;
/** From 1 µs to 2^27 µs, more than two minutes. */
const octaves = 27;

/** An empty histogram. */
export function createHistogram(): Histogram {
  const counts = new Uint32Array(octaves * stepsPerOctave);
  let total = 0;
  let max = 0;
  return {
    add(milliseconds) {
      const step = Math.floor(Math.log2(milliseconds * 1000) * stepsPerOctave);
      const index = Math.min(Math.max(step, 0), counts.length - 1);
      counts[index] = (counts[index] ?? 0) + 1;
      total += 1;
      if (milliseconds > max) max = milliseconds;
    },
    quantileMs(share) {
      const wanted = Math.ceil(total * share);
      let passed = 0;
      for (const [index, count] of counts.entries()) {
        passed += count;
        if (count > 0 && passed >= wanted) return 2 ** ((index + 0.5) / stepsPerOctave) / 1000;
      }
      return 0;
    },
    maxMs: () => max,
    count: () => total,
  };
}
