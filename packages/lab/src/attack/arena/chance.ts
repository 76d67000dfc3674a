export interface Chance {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number, at least 0. */
  below(end: number): number;
  shuffled<T>(items: readonly T[]): T[];
}

export const seedMax = 2 ** 32 - 1;

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  return { next, below, shuffled };

  /** Mulberry32: 32 bits of state, good enough for shuffling. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function below(end: number): number {
    return Math.floor(next() * end);
  }

  function shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: next() }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ item }) => item);
  }
}
