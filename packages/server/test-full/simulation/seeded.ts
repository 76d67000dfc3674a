/** Reproducible random numbers: the same seed, the same run. */
export interface Seeded {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number from 0 to `below` − 1. */
  below(below: number): number;
  /** True with this frequency. */
  is(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Mulberry32: small, uniform enough for a workload, and the same on every machine. */
export function createSeeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    is: (share) => next() < share,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
  };
}
