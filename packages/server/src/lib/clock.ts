import { performance } from 'node:perf_hooks';
import type { OneShot } from './one-shot.ts';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Epoch milliseconds, UTC. */
  now(): number;
  /** Never goes back; for measuring durations. */
  monotonic(): number;
  /** Keeps the process alive only with `keepAlive`. */
  after(delayMs: number, run: () => void, options?: { keepAlive?: boolean }): Timer;
}

export const systemClock: Clock = {
  now: Date.now,
  monotonic: performance.now.bind(performance),
  after(delayMs, run, options) {
    const timer = setTimeout(run, delayMs);
    if (options?.keepAlive !== true) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** False as soon as `over` fires, or at once if it has fired. */
export function sleep(clock: Clock, delayMs: number, over?: OneShot): Promise<boolean> {
  if (over?.hasFired() === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = clock.after(delayMs, () => end(true), { keepAlive: true });
    const unsubscribe = over?.onFire(() => end(false));
    function end(slept: boolean) {
      timer.cancel();
      unsubscribe?.();
      resolve(slept);
    }
  });
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Runs never overlap; a failing run does not end the series. */
export function every(
  clock: Clock,
  intervalMs: number,
  run: () => Promise<void>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = clock.after(intervalMs, step);
  return {
    async stop() {
      isStopped = true;
      timer.cancel();
      await running;
    },
  };
  function step() {
    running = run()
      .catch(onError)
      .then(() => {
        if (!isStopped) timer = clock.after(intervalMs, step);
      });
  }
}

const dayMs = 86_400_000;

export function utcDayOf(epochMs: number): string {
  const number = Math.floor(epochMs / dayMs);
  if (number !== lastDay.number) {
    lastDay = { number, text: new Date(epochMs).toISOString().slice(0, 10) };
  }
  return lastDay.text;
}

export const utcDayRule = 'a UTC day such as 2026-11-21';

export function isUtcDay(text: string): boolean {
  const epochMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date.parse` reads day 31 of a shorter month as a day of the next month.
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text);
}

let lastDay = { number: 0, text: '1970-01-01' };

export function utcMonthOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 7);
}

/** ISO 8601 in UTC, to the second. */
export function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** 00:00 UTC, epoch milliseconds. */
export function nextUtcDayMs(epochMs: number): number {
  return (Math.floor(epochMs / dayMs) + 1) * dayMs;
}

export function nextUtcMonthMs(epochMs: number): number {
  // `Date.UTC` would treat the years 0 to 99 as 1900 to 1999.
  const date = new Date(epochMs);
  date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return date.setUTCHours(0, 0, 0, 0);
}

export function lastDayOfMonth(month: string): string {
  return utcDayOf(nextUtcMonthMs(Date.parse(`${month}-01`)) - 1);
}
