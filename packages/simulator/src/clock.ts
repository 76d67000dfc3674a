/** The time that a simulator lives in; any clock with these two functions fits. */
export interface SimulatorClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Runs `run` once, `delayMs` from now. */
  after(delayMs: number, run: () => void): { cancel(): void };
}

/** Resolves `delayMs` from now, never early: a model finishes even when its client left. */
export function wait(clock: SimulatorClock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
