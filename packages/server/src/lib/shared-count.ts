import { hashOf } from './hash.ts';

/** A count that threads of a process share: each has a part of it, and knows what all have. */
export interface SharedCount {
  /** What this thread has. */
  own(): number;
  /** What the others have. */
  others(): number;
  /** Changes what this thread has. */
  add(change: number): void;
  /** Adds one where all then have at most `max`; else changes nothing and is false. */
  take(max: number): boolean;
}

/** A count of one thread alone. */
export function createOwnCount(): SharedCount {
  let own = 0;
  return {
    own: () => own,
    others: () => 0,
    add(change) {
      own += change;
    },
    take(max) {
      if (own >= max) return false;
      own += 1;
      return true;
    },
  };
}

/**
 * This thread's side of a count whose total is the first number of `memory`, in whole units: of
 * each thread as many as hold what it has.
 */
export function createSharedCount(memory: Int32Array<SharedArrayBuffer>, unit = 1): SharedCount {
  let own = 0;
  let units = 0;
  return {
    own: () => own,
    others: () => (Atomics.load(memory, 0) - units) * unit,
    add(change) {
      own += change;
      const now = Math.ceil(own / unit);
      Atomics.add(memory, 0, now - units);
      units = now;
    },
    take(max) {
      if (Atomics.add(memory, 0, 1) >= max) {
        Atomics.sub(memory, 0, 1);
        return false;
      }
      own += 1;
      units += 1;
      return true;
    },
  };
}

/** Counts by name, of few names at a time. */
export interface SharedTally {
  of(name: string): number;
  add(name: string, change: number): void;
}

/** A tally of one thread alone. */
export function createOwnTally(): SharedTally {
  const counts = new Map<string, number>();
  const countOf = (name: string) => counts.get(name) ?? 0;
  return {
    of: countOf,
    add(name, change) {
      const count = countOf(name) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
}

/**
 * One of all threads that have this memory: each name counts at a place of it that a hash says, so
 * that two names meet at one seldom, and are then counted together. Names are to be the gateway's
 * own, so that no caller can choose where one is counted.
 */
export function createSharedTally(memory: Int32Array<SharedArrayBuffer>): SharedTally {
  const placeOf = (name: string) => hashOf(name) % memory.length;
  return {
    of: (name) => Atomics.load(memory, placeOf(name)),
    add: (name, change) => void Atomics.add(memory, placeOf(name), change),
  };
}
