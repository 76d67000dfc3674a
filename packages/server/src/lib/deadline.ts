import { type Clock, sleep } from './clock.ts';
import { createOneShot, type OneShot } from './one-shot.ts';
import type { TimeLimit } from './time-limit.ts';

export interface Deadline {
  /** Fires when the time is over or when `end` is called. */
  readonly over: OneShot;
  remainingMs(): number;
  /** False if the deadline comes first; then it does not wait at all. */
  sleep(delayMs: number): Promise<boolean>;
  end(): void;
  cancel(): void;
}

export function startDeadline(clock: Clock, limit: TimeLimit): Deadline {
  const over = createOneShot();
  const { endsAtMs, cancel } = limit.begin(over.fire);
  const remainingMs = () => Math.max(0, endsAtMs - clock.monotonic());
  return {
    over,
    remainingMs,
    sleep(delayMs) {
      if (delayMs >= remainingMs()) return Promise.resolve(false);
      return sleep(clock, delayMs, over);
    },
    end: over.fire,
    cancel,
  };
}

/** Fires only through `end`; `endsAtMs` may change. */
export function untimedDeadline(clock: Clock, endsAtMs: () => number): Deadline {
  const over = createOneShot();
  const remainingMs = () => Math.max(0, endsAtMs() - clock.monotonic());
  return {
    over,
    remainingMs,
    sleep: (delayMs) =>
      delayMs >= remainingMs() ? Promise.resolve(false) : sleep(clock, delayMs, over),
    end: over.fire,
    cancel: () => undefined,
  };
}

export function startTimeout(
  clock: Clock,
  limitMs: number,
): { readonly signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  const timer = clock.after(limitMs, () => controller.abort(), { keepAlive: true });
  return { signal: controller.signal, cancel: timer.cancel };
}

/** `work` must never reject. False if it took longer. */
export function within(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => resolve(false), { keepAlive: true });
    work.then(() => resolve(true), reject).finally(() => timer.cancel());
  });
}
