/**
 * Something that comes once at most: a caller leaves, a time is over. An AbortSignal says the same,
 * and to make one and to listen to it takes ten times as long; every call has some.
 */
export interface Moment {
  hasCome(): boolean;
  /** Calls `run` when it comes, or at once when it has; the answer takes that back. */
  whenCome(run: () => void): () => void;
}

/** A moment, and how it comes; what comes again changes nothing. */
export interface OwnMoment extends Moment {
  come(): void;
}

/** A moment that has not come. */
export function createMoment(): OwnMoment {
  const listeners = new Set<() => void>();
  let hasCome = false;
  return {
    hasCome: () => hasCome,
    whenCome(run) {
      if (hasCome) run();
      else listeners.add(run);
      return () => void listeners.delete(run);
    },
    come() {
      if (hasCome) return;
      hasCome = true;
      for (const run of listeners) run();
      listeners.clear();
    },
  };
}
