import type { AttemptEvent } from './options.ts';

/** Runs `run` once after `waitMs` (0–2,147,483,647); answers a function that prevents it. */
export type SetTimer = (waitMs: number, run: () => void) => () => void;

/** All time and randomness that the client uses, so that tests can bring their own. */
export interface Runtime {
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  monotonicMs(): number;
  /** Milliseconds since 1970 UTC, for the dates that a server sends. */
  epochMs(): number;
  /** For limits on what the caller's own code does: of a tool, of a whole run. */
  readonly after: SetTimer;
  /** For the time limit of a call. */
  readonly afterLimit: SetTimer;
  /** For the wait before a retry. */
  readonly afterPause: SetTimer;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** A new UUID, version 4. */
  uuid(): string;
  /** Tells the machine's own watchers of an attempt. */
  readonly publish?: (event: AttemptEvent) => void;
  /**
   * What something that fetch threw stands for: a mistake of the test, which is thrown on as it is,
   * or a server that never answers. Of the testing helper alone; all else is a broken connection.
   */
  readonly standsFor?: (thrown: unknown) => 'mistake' | 'silence' | undefined;
}

/** The machine's own clocks, timers and random numbers, as every JavaScript has them. */
export function machineTime(): Omit<Runtime, 'uuid'> {
  const after: SetTimer = (waitMs, run) => {
    // Not unref'd: a caller who awaits an answer must not see the process end in the back-off.
    const timer = setTimeout(run, waitMs);
    return () => clearTimeout(timer);
  };
  return {
    monotonicMs: () => performance.now(),
    epochMs: () => Date.now(),
    after,
    afterLimit: after,
    afterPause: after,
    random: () => Math.random(),
  };
}
