import type { SimulatorClock } from '../src/index.ts';

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that only a test moves. */
export interface VirtualClock extends SimulatorClock {
  /** Advances and runs due timers in order, letting promises settle after each. */
  advance(byMs: number): Promise<void>;
  /** The number of pending timers. */
  pending(): number;
}

/** A clock that starts at 2026-11-21T00:00:00Z. */
export function createVirtualClock(): VirtualClock {
  let nowMs = Date.UTC(2026, 10, 21);
  const dues = new Set<Due>();
  return { now: () => nowMs, after, advance, pending: () => dues.size };

  function after(delayMs: number, run: () => void) {
    const due = { at: nowMs + delayMs, run };
    dues.add(due);
    return { cancel: () => void dues.delete(due) };
  }
  async function advance(byMs: number): Promise<void> {
    const untilMs = nowMs + byMs;
    // A new call needs a turn before it is in the clock's list.
    await settle();
    for (let due = next(untilMs); due !== undefined; due = next(untilMs)) {
      dues.delete(due);
      nowMs = due.at;
      due.run();
      await settle();
    }
    nowMs = untilMs;
  }
  function next(untilMs: number): Due | undefined {
    const ripe = [...dues].filter(({ at }) => at <= untilMs);
    return ripe.toSorted((one, other) => one.at - other.at)[0];
  }
}

/** Runs everything that waits only for its turn. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
