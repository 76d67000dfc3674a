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
  // One or two: a set would cost more than to look through them.
  let listeners: (() => void)[] = [];
  let hasCome = false;
  return {
    hasCome: () => hasCome,
    whenCome(run) {
      if (hasCome) run();
      else listeners.push(run);
      return () => {
        listeners = listeners.filter((listener) => listener !== run);
      };
    },
    come() {
      if (hasCome) return;
      hasCome = true;
      for (let next = listeners.shift(); next !== undefined; next = listeners.shift()) next();
    },
  };
}
