import type { Clock } from '../../lib/clock.ts';

const perMinute = 10;
const addressesMax = 10_000;

/** How many wrong codes an address has sent within a minute. */
export interface Guesses {
  /** Counts one; false where it is one too many. */
  take(address: string): boolean;
}

/** Counts of this process: a right code is never counted. */
export function createGuesses(clock: Pick<Clock, 'monotonic'>): Guesses {
  let since = clock.monotonic();
  let counts = new Map<string, number>();
  return {
    take(address) {
      if (clock.monotonic() - since >= 60_000 || counts.size >= addressesMax) {
        since = clock.monotonic();
        counts = new Map();
      }
      const count = (counts.get(address) ?? 0) + 1;
      counts.set(address, count);
      return count <= perMinute;
    },
  };
}
