import { type Clock, sleep } from './clock.ts';
import { createOneShot, type OneShot } from './one-shot.ts';
import type { TimeLimit } from './time-limit.ts';

/** A moment after which work must not be waited for any longer. */
export interface Deadline {
  /** Comes when the time is over, or when `end` says so earlier. */
  readonly over: OneShot;
  /** Milliseconds left; 0 when it has passed. */
  leftMs(): number;
  /** Waits; false when the deadline comes first, in which case it does not wait at all. */
  sleep(delayMs: number): Promise<boolean>;
  /** Brings the moment forward to now. */
  end(): void;
  /** Lets go of the timer. */
  cancel(): void;
}

/** A deadline whose time begins now. */
export function startDeadline(clock: Clock, limit: TimeLimit): Deadline {
  const over = createOneShot();
  const { endsAtMs, cancel } = limit.begin(over.fire);
  const leftMs = () => Math.max(0, endsAtMs - clock.monotonic());
  return {
    over,
    leftMs,
    sleep(delayMs) {
      if (delayMs >= leftMs()) return Promise.resolve(false);
      return sleep(clock, delayMs, over);
    },
    end: over.fire,
    cancel,
  };
}

/** A deadline that moves, and that comes only by `end`: what waits knows how long it may. */
export function untimedDeadline(clock: Clock, endsAtMs: () => number): Deadline {
  const over = createOneShot();
  const leftMs = () => Math.max(0, endsAtMs() - clock.monotonic());
  return {
    over,
    leftMs,
    sleep: (delayMs) =>
      delayMs >= leftMs() ? Promise.resolve(false) : sleep(clock, delayMs, over),
    end: over.fire,
    cancel: () => undefined,
  };
}

/** A signal that aborts `limitMs` from now, unless it is cancelled. */
export function startTimeout(
  clock: Clock,
  limitMs: number,
): { readonly signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  const timer = clock.after(limitMs, () => controller.abort(), { keepAlive: true });
  return { signal: controller.signal, cancel: timer.cancel };
}

/** Waits for work that never rejects, but not for longer than this; false when it was longer. */
export function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => resolve(false), { keepAlive: true });
    work.then(() => resolve(true), reject).finally(() => timer.cancel());
  });
}
