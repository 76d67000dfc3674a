import { type Clock, sleep } from './clock.ts';

/** A moment after which work must not be waited for any longer. */
export interface Deadline {
  /** Aborts when the moment has come, or when `end` says so earlier. */
  readonly signal: AbortSignal;
  /** Milliseconds left; 0 when it has passed. */
  leftMs(): number;
  /** Waits; false when the deadline comes first, in which case it does not wait at all. */
  sleep(delayMs: number): Promise<boolean>;
  /** Brings the moment forward to now. */
  end(): void;
  /** Lets go of the timer. */
  cancel(): void;
}

/** A deadline `limitMs` from now. */
export function startDeadline(clock: Clock, limitMs: number): Deadline {
  const controller = new AbortController();
  const endsAtMs = clock.monotonic() + limitMs;
  const timer = clock.after(limitMs, () => controller.abort(), { keepAlive: true });
  const leftMs = () => Math.max(0, endsAtMs - clock.monotonic());
  return {
    signal: controller.signal,
    leftMs,
    sleep(delayMs) {
      if (delayMs >= leftMs()) return Promise.resolve(false);
      return sleep(clock, delayMs, controller.signal);
    },
    end: () => controller.abort(),
    cancel: () => timer.cancel(),
  };
}

/** Waits for work that never rejects, but not for longer than this; false when it was longer. */
export function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => resolve(false), { keepAlive: true });
    work.then(() => resolve(true), reject).finally(() => timer.cancel());
  });
}
