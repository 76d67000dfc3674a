import type { CallRecord } from '../../books/rows.ts';

/** The dearest of what was found so far, each once. */
export interface Dearest {
  add(found: readonly CallRecord[]): void;
  /** What a further one has to cost to be among them, in pico-USD: `least` at least. */
  atLeast(least: bigint | undefined): bigint;
  /** The dearest first; of those that cost the same, the newest. */
  calls(): readonly CallRecord[];
}

/** So many at most; nothing is found yet, and nothing that cost nothing is looked for. */
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
