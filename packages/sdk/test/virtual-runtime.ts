import type { Runtime } from '../src/call/runtime.ts';

/** A clock that stands still until a test moves it, and random numbers of the test's choice. */
export interface VirtualRuntime extends Runtime {
  /** Moves the clock, running every timer on its way, in order. */
  advance(byMs: number): Promise<void>;
  /** Runs timers, as early as they come, until `work` has settled; answers what it came to. */
  settle<T>(work: Promise<T>): Promise<Settled<T>>;
  /** Timers that have neither run nor been stopped. */
  timers(): number;
}

/** What a promise came to. */
export type Settled<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'error'; readonly error: unknown };

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** The virtual moment at which every test begins, 2026-11-21T08:00:00Z. */
export const startEpochMs = Date.UTC(2026, 10, 21, 8);

export function createVirtualRuntime(random: () => number = () => 0.5): VirtualRuntime {
  const timers = new Set<Timer>();
  // Far from zero, so that a mix-up of the two clocks shows.
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

/** Lets everything run that waits for no timer: promises, streams, the queue of Node. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}
