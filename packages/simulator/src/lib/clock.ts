export interface SimulatorClock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  after(delayMs: number, run: () => void): { cancel(): void };
}

/** Never early: a model finishes even after its client disconnected. */
export function wait(clock: SimulatorClock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}
