/**
 * An event that fires once at most: a caller leaves, a time is over. An AbortSignal is the same; to
 * make one, to listen to it and to stop takes 560 ns where this takes 120, and a call has three.
 */
export interface OneShot {
  hasFired(): boolean;
  /** Calls `run` when it fires, or at once when it has; the answer takes that back. */
  onFire(run: () => void): () => void;
}

/** A one-shot event, and how to fire it; to fire it again changes nothing. */
export interface OneShotSource extends OneShot {
  fire(): void;
}

/** One that has not fired. */
export function createOneShot(): OneShotSource {
  // Mostly one at a time: a list, which every call would pay for, is made for further ones alone.
  let first: (() => void) | undefined;
  let others: (() => void)[] = none;
  let hasFired = false;
  return {
    hasFired: () => hasFired,
    onFire(run) {
      if (hasFired) run();
      else if (first === undefined) first = run;
      else others = [...others, run];
      return () => {
        if (first === run) next();
        else if (others.length > 0) others = others.filter((listener) => listener !== run);
      };
    },
    fire() {
      if (hasFired) return;
      hasFired = true;
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
