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
  // Mostly one at a time: a list, which every call would pay for, is made for further ones alone.
  let first: (() => void) | undefined;
  let others: (() => void)[] = none;
  let hasCome = false;
  return {
    hasCome: () => hasCome,
    whenCome(run) {
      if (hasCome) run();
      else if (first === undefined) first = run;
      else others = [...others, run];
      return () => {
        if (first === run) next();
        else if (others.length > 0) others = others.filter((listener) => listener !== run);
      };
    },
    come() {
      if (hasCome) return;
      hasCome = true;
      for (let run = first; run !== undefined; run = first) {
        next();
        run();
      }
    },
  };

  function next() {
    first = others[0];
    if (first !== undefined) others = others.slice(1);
  }
}

const none: (() => void)[] = [];
