import { setImmediate } from 'node:timers/promises';
import type { Clock, Timer } from '../../src/lib/clock.ts';

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/** A test clock: time passes only when the test advances it, timer by timer. */
export interface TestClock extends Clock {
  /** Lets time pass, and runs everything that becomes due on the way. */
  advance(ms: number): Promise<void>;
  /** Lets time pass as on a sleeping machine: all due work runs at its end, once. */
  sleep(ms: number): Promise<void>;
  /**
   * Lets as much time pass as a promise needs. No time passes while something is `pending`: a
   * response of the store, or of a socket.
   */
  run<T>(promise: Promise<T>): Promise<T>;
  /** No time passes until the work of other threads has ended. It may not wait for a timer. */
  outside<T>(work: Promise<T>): Promise<T>;
  /** Waits for everything but the clock: no time passes. */
  settle(): Promise<void>;
  /** Sets the wall clock to a time, as an operator or a time server may; timers keep their wait. */
  set(epochMs: number): void;
}

/** Turns of the event loop without work, after which only a timer can continue. */
const idleTurns = 8;

/** Seconds of work, which a module's import on a busy machine does not take. */
const outsideTurnsMax = 3_000_000;
/** A promise that needs more time than this will never end. */
const runMsMax = 3_600_000;

/** The next event that needs no time of the test; undefined while none is due. */
export type Pending = () => Promise<void> | undefined;

/** A clock at a time; the default is 2026-11-21T12:00:00Z. */
export function createTestClock(parts: { startMs?: number; pending?: Pending } = {}): TestClock {
  let elapsedMs = 0;
  let epochMs = parts.startMs ?? Date.UTC(2026, 10, 21, 12);
  let order = 0;
  const timers = new Set<Due>();
  const working = new Set<Promise<void>>();
  const clock: TestClock = {
    now: () => Math.floor(epochMs + elapsedMs),
    monotonic: () => elapsedMs,
    after(delayMs, run): Timer {
      const due = { atMs: elapsedMs + Math.max(0, delayMs), order: order++, run };
      timers.add(due);
      return { cancel: () => void timers.delete(due) };
    },
    async advance(ms) {
      const untilMs = elapsedMs + ms;
      await settle();
      for (let next = earliest(); next !== undefined && next.atMs <= untilMs; next = earliest()) {
        await fire(next);
      }
      elapsedMs = untilMs;
    },
    sleep(ms) {
      elapsedMs += ms;
      return clock.advance(0);
    },
    async run(promise) {
      let isEnded = false;
      const end = () => {
        isEnded = true;
      };
      promise.then(end, end);
      const limitMs = elapsedMs + runMsMax;
      for (await settle(); !isEnded; await settle()) {
        const next = earliest();
        if (next !== undefined && next.atMs <= limitMs) await fire(next);
        else if (!(await endsOutside())) throw new Error('it waits for ever');
      }
      return promise;

      /** Only work without a timer remains, such as the import of a module on a busy machine. */
      async function endsOutside(): Promise<boolean> {
        const before = earliest();
        for (let turn = 0; turn < outsideTurnsMax && !isEnded; turn++) {
          await setImmediate();
          if (earliest() !== before || pending() !== undefined) return true;
        }
        return isEnded;
      }
    },
    outside(work) {
      const ended: Promise<void> = work.then(end, end);
      working.add(ended);
      return work;

      function end() {
        working.delete(ended);
      }
    },
    settle,
    set(to) {
      epochMs = to - elapsedMs;
    },
  };
  return clock;

  function earliest(): Due | undefined {
    let first: Due | undefined;
    for (const due of timers) {
      const isEarlier =
        first === undefined ||
        due.atMs < first.atMs ||
        (due.atMs === first.atMs && due.order < first.order);
      if (isEarlier) first = due;
    }
    return first;
  }

  async function fire(due: Due) {
    timers.delete(due);
    elapsedMs = Math.max(elapsedMs, due.atMs);
    due.run();
    await settle();
  }

  async function settle() {
    for (let idle = 0; idle < idleTurns; ) {
      await (pending() ?? setImmediate());
      idle = pending() === undefined ? idle + 1 : 0;
    }
  }

  function pending(): Promise<void> | undefined {
    return parts.pending?.() ?? working.values().next().value;
  }
}
