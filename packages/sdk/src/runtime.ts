/** All time and randomness that the client uses, so that tests can bring their own. */
export interface Runtime {
  /** Milliseconds on a clock that never goes back; only differences mean anything. */
  monotonicMs(): number;
  /** Milliseconds since 1970 UTC, for the dates that a server sends. */
  epochMs(): number;
  /** Runs `run` once after `waitMs` (0–2,147,483,647); answers a function that prevents it. */
  after(waitMs: number, run: () => void): () => void;
  /** A number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** A new UUID, version 4. */
  uuid(): string;
}

/** The machine's own clocks, timers and random numbers, as every JavaScript has them. */
export function machineTime(): Omit<Runtime, 'uuid'> {
  return {
    monotonicMs: () => performance.now(),
    epochMs: () => Date.now(),
    after: (waitMs, run) => {
      // Not unref'd: a caller who awaits an answer must not see the process end in the back-off.
      const timer = setTimeout(run, waitMs);
      return () => clearTimeout(timer);
    },
    random: () => Math.random(),
  };
}
