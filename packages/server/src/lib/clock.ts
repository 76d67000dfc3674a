import { performance } from 'node:perf_hooks';
import type { OneShot } from './one-shot.ts';

/** Something that is due later and may be taken back. */
export interface Timer {
  cancel(): void;
}

/** The only source of time: everything else gets one passed in, so that tests can hold it. */
export interface Clock {
  /** The wall clock: milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds that never go back, for measuring. */
  monotonic(): number;
  /**
   * Runs `run` once, `delayMs` from now. Keeps the process alive only where `keepAlive` says so.
   */
  after(delayMs: number, run: () => void, options?: { keepAlive?: boolean }): Timer;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: performance.now.bind(performance),
  after(delayMs, run, options) {
    const timer = setTimeout(run, delayMs);
    if (options?.keepAlive !== true) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Waits; resolves to false at once, or as soon as, what would end the wait has come. */
export function sleep(clock: Clock, delayMs: number, over?: OneShot): Promise<boolean> {
  if (over?.hasFired() === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const timer = clock.after(delayMs, () => end(true), { keepAlive: true });
    const forget = over?.onFire(() => end(false));
    function end(slept: boolean) {
      timer.cancel();
      forget?.();
      resolve(slept);
    }
  });
}

/** Waits until the event loop has handed out everything that it has at hand. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Calls `run` every `intervalMs`, never twice at once; a failing run does not end the series. */
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

/** The UTC day of a moment, `YYYY-MM-DD`. */
export function utcDayOf(epochMs: number): string {
  const number = Math.floor(epochMs / dayMs);
  if (number !== lastDay.number) {
    lastDay = { number, text: new Date(epochMs).toISOString().slice(0, 10) };
  }
  return lastDay.text;
}

/** What such a day is, after "must be". */
export const utcDayRule = 'a UTC day such as 2026-11-21';

/** Whether a text is a UTC day, `YYYY-MM-DD`, that the calendar has. */
export function isUtcDay(text: string): boolean {
  const epochMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // A 31st of a shorter month is read as a day of the next one.
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text);
}

/** Every call asks for the day that the call before it asked for. */
let lastDay = { number: 0, text: '1970-01-01' };

/** The UTC month of a moment, `YYYY-MM`. */
export function utcMonthOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 7);
}

/** A time as sentences have it: ISO 8601 in UTC, to the second. */
export function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** The next 00:00 UTC after a moment, in milliseconds since 1970. */
export function nextUtcDayMs(epochMs: number): number {
  return (Math.floor(epochMs / dayMs) + 1) * dayMs;
}

/** The start of the next UTC month after a moment, in milliseconds since 1970. */
export function nextUtcMonthMs(epochMs: number): number {
  // Not by Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(epochMs);
  date.setUTCMonth(date.getUTCMonth() + 1, 1);
  return date.setUTCHours(0, 0, 0, 0);
}

/** The last UTC day of a month, `YYYY-MM-DD`; the month is `YYYY-MM`. */
export function lastDayOfMonth(month: string): string {
  return utcDayOf(nextUtcMonthMs(Date.parse(`${month}-01`)) - 1);
}
