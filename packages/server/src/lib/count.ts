/** A count that threads of the process may share. */
export interface Count {
  /** The part of this thread. */
  own: number;
  readonly others: number;
  /** False, with no change, if the total would exceed `max`. */
  take(max: number): boolean;
}

export function createCount(): Count {
  const count = {
    own: 0,
    others: 0,
    take(max: number) {
      if (count.own >= max) return false;
      count.own += 1;
      return true;
    },
  };
  return count;
}

export interface Tally {
  of(name: string): number;
  add(name: string, change: number): void;
}

export function createTally(): Tally {
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
