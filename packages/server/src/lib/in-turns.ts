import { nextTurn } from './clock.ts';

// Splits long work of the thread that answers callers, so callers are served in between.

/** About 1 to 2 ms of work before others run. */
const atOnceMax = 500;
const runLength = 2_048;

/** Yields between batches; use a smaller `atOnce` for slow items. */
export async function eachInTurns<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  atOnce = atOnceMax,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % atOnce === 0) await nextTurn();
  }
}

/** Stable, and yields between runs. */
export async function sortedInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += runLength) {
    runs.push(items.slice(from, from + runLength).sort(compare));
    if (items.length > runLength) await nextTurn();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergedInTurns(runs[at] ?? [], runs[at + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let at = 0;
  await eachInTurns(left, (item) => {
    for (let next = right[at]; next !== undefined && compare(next, item) < 0; next = right[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(item);
  });
  await eachInTurns(right.slice(at), (item) => void merged.push(item));
  return merged;
}
