import { nextTurn } from './clock.ts';

// Long work of the thread that answers callers: some of it at a time, and them in between.

/** Small items that are worked on before others have their turn: a millisecond or two. */
const atOnceMax = 500;
/** Items that are sorted at once. */
const runLength = 2_048;

/** Does something with each item; `atOnce` is smaller for items that take longer. */
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

/** Items in their order; those that are alike stay as they were. */
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
