import type { Clock, Timer } from './clock.ts';

/** One length of time for many: each ends so long after it began. */
export interface TimeLimit {
  readonly limitMs: number;
  /** Calls `run` once, when the time is over or {@link TimeLimit.endAll} says so. */
  begin(run: () => void): Timer;
  /** Ends the time of all that run now. */
  endAll(): void;
}

interface Running {
  readonly endsAtMs: number;
  readonly run: () => void;
}

/**
 * One timer for all of them: every call begins two of these, and nearly none comes to its end. It
 * does not keep the process alive, and may be due once for nobody.
 */
export function createTimeLimit(clock: Clock, limitMs: number): TimeLimit {
  // In the order of their ends, since all last equally long.
  const running = new Set<Running>();
  let isTimed = false;
  return {
    limitMs,
    begin(run) {
      const one = { run, endsAtMs: clock.monotonic() + limitMs };
      running.add(one);
      time(limitMs);
      return { cancel: () => void running.delete(one) };
    },
    endAll() {
      for (const one of [...running]) end(one);
    },
  };

  function time(delayMs: number) {
    if (isTimed) return;
    isTimed = true;
    clock.after(delayMs, endDue);
  }

  function endDue() {
    isTimed = false;
    const nowMs = clock.monotonic();
    for (const one of running) {
      const leftMs = one.endsAtMs - nowMs;
      // Timers count whole milliseconds.
      if (leftMs > 0) return time(Math.max(1, leftMs));
      end(one);
    }
  }

  function end(one: Running) {
    running.delete(one);
    one.run();
  }
}
