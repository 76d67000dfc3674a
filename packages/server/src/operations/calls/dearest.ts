import type { CallRecord } from '../../books/rows.ts';

/** Each call once. */
export interface Dearest {
  add(found: readonly CallRecord[]): void;
  /** The cost, in pico-USD, that another call needs; never below `least`. */
  atLeast(least: bigint | undefined): bigint;
  /** The dearest first; at equal cost, the newest first. */
  calls(): readonly CallRecord[];
}

/** Ignores calls without a cost. */
export function createDearest(limit: number): Dearest {
  let best: readonly CallRecord[] = [];
  return {
    add(found) {
      const all = new Map([...best, ...found].map((call) => [call.callId, call]));
      best = [...all.values()].toSorted(dearestFirst).slice(0, limit);
    },
    atLeast(least = 1n) {
      const last = best.length < limit ? undefined : best.at(-1);
      const floor = last === undefined ? 1n : last.cost + 1n;
      return least > floor ? least : floor;
    },
    calls: () => best,
  };
}

function dearestFirst(a: CallRecord, b: CallRecord): number {
  if (a.cost !== b.cost) return a.cost > b.cost ? -1 : 1;
  return a.callId > b.callId ? -1 : 1;
}
