import type { AttemptEvent } from './options.ts';

/** Runs `run` once after `waitMs` (0–2,147,483,647); returns a function that prevents it. */
export type SetTimer = (waitMs: number, run: () => void) => () => void;

/** All time and randomness of the client, which tests can replace. */
export interface Runtime {
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  monotonicMs(): number;
  /** Milliseconds since 1970 UTC, for the dates that a server sends. */
  epochMs(): number;
  /** For time limits of the caller's own code: of a tool, of a whole run. */
  readonly after: SetTimer;
  /** For the time limit of a call. */
  readonly afterLimit: SetTimer;
  /** For the wait before a retry. */
  readonly afterPause: SetTimer;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** A new UUID, version 4. */
  uuid(): string;
  /** Notifies the machine's own observers of an attempt. */
  readonly publish?: (event: AttemptEvent) => void;
  /**
   * The meaning of an exception from fetch: a mistake of the test, which is thrown unchanged, or a
   * server that never responds. Only for the testing helper; other exceptions are broken
   * connections.
   */
  readonly standsFor?: (thrown: unknown) => 'mistake' | 'silence' | undefined;
}

/** The machine's own clocks, timers and random numbers, as every JavaScript has them. */
export function machineTime(): Omit<Runtime, 'uuid'> {
  const after: SetTimer = (waitMs, run) => {
    // Not unref'd: the process must not end in the back-off while a caller awaits a response.
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
