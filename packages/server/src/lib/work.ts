/** Times what requests cost the thread that answers them: all that is done between two waits. */
export interface Work {
  /** The measure of one request. */
  of(owner: WorkOwner): Measure;
}

/**
 * Runs `run` and notes how long it took, whatever comes of it. Within another measure, its time is
 * that of its own stage alone. What `run` waits for is not counted.
 */
export type Measure = <T>(stage: WorkStage, run: () => T) => T;

/**
 * Where time went: reading and checking a body; sizing and admitting its call; writing the request
 * of a platform; reading its response; writing the answer.
 */
export type WorkStage = (typeof workStages)[number];

/** All of them. */
export const workStages = ['body', 'admission', 'request', 'response', 'answer'] as const;

/** Whose request it was. */
export interface WorkOwner {
  readonly app: string;
  readonly keyId: string;
  readonly route: string;
}

/** Hears of every piece of work, at once. */
export type WorkListener = (owner: WorkOwner, stage: WorkStage, tookMs: number) => void;

/** No work was done yet; `nowMs` is the time of this thread. */
export function createWork(nowMs: () => number, listeners: readonly WorkListener[]): Work {
  // Of the measure that runs now: what the measures within it have taken.
  let withinMs = 0;
  return { of: (owner) => (stage, run) => measure(owner, stage, run) };

  function measure<T>(owner: WorkOwner, stage: WorkStage, run: () => T): T {
    const outerMs = withinMs;
    withinMs = 0;
    const startedMs = nowMs();
    try {
      return run();
    } finally {
      const tookMs = nowMs() - startedMs;
      const ownMs = tookMs - withinMs;
      for (const listener of listeners) listener(owner, stage, ownMs);
      withinMs = outerMs + tookMs;
    }
  }
}

/** For work of no app. */
export const unmeasured: Measure = (_stage, run) => run();
