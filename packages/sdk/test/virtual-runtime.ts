import type { Runtime } from '../src/call/runtime.ts';

/** A clock that only a test moves, and random numbers of the test's choice. */
export interface VirtualRuntime extends Runtime {
  /** Moves the clock, running every timer on its way, in order. */
  advance(byMs: number): Promise<void>;
  /** Runs timers, each as early as it is due, until `work` has settled; returns the result. */
  settle<T>(work: Promise<T>): Promise<Settled<T>>;
  /** Timers that have neither run nor been stopped. */
  timers(): number;
}

/** The result of a promise. */
export type Settled<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'error'; readonly error: unknown };

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** The virtual start time of every test, 2026-11-21T08:00:00Z. */
export const startEpochMs = Date.UTC(2026, 10, 21, 8);

export function createVirtualRuntime(random: () => number = () => 0.5): VirtualRuntime {
  const timers = new Set<Timer>();
  // Far from zero, to detect a mix-up of the two clocks.
  let nowMs = 7_000;
  let uuids = 0;

  function after(waitMs: number, run: () => void): () => void {
    const timer = { atMs: nowMs + waitMs, run };
    timers.add(timer);
    return () => {
      timers.delete(timer);
    };
  }

  function runNext(untilMs: number): boolean {
    const [next] = [...timers].sort((one, other) => one.atMs - other.atMs);
    if (next === undefined || next.atMs > untilMs) return false;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.atMs);
    next.run();
    return true;
  }

  async function advance(byMs: number): Promise<void> {
    const untilMs = nowMs + byMs;
    await flush();
    while (runNext(untilMs)) await flush();
    nowMs = untilMs;
  }

  return {
    monotonicMs: () => nowMs,
    epochMs: () => startEpochMs + nowMs - 7_000,
    after,
    afterLimit: after,
    afterPause: after,
    random,
    uuid: () => {
      uuids += 1;
      return `uuid-${uuids}`;
    },
    advance,
    settle: (work) => settle(work, () => runNext(Number.POSITIVE_INFINITY)),
    timers: () => timers.size,
  };
}

async function settle<T>(work: Promise<T>, runNext: () => boolean): Promise<Settled<T>> {
  let settled: Settled<T> | undefined;
  work.then(
    (answer) => {
      settled = { kind: 'answer', answer };
    },
    (error: unknown) => {
      settled = { kind: 'error', error };
    },
  );
  for (let steps = 0; steps < 1_000; steps++) {
    await flush();
    if (settled !== undefined) return settled;
    if (!runNext()) break;
  }
  throw new Error('the work waits for something that is not on the virtual clock');
}

/** Runs everything that waits for no timer: promises, streams, Node's queue. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}
