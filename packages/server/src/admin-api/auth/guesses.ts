import type { Clock } from '../../lib/clock.ts';

const perMinute = 10;
const addressesMax = 10_000;

export interface Guesses {
  take(address: string): boolean;
}

/** A correct code is never counted. */
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
