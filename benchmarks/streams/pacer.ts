/** Calls many functions with one timer, each after a gap from its last call. */
export interface Pacer {
  /** Calls `next` after a gap, and again for as long as it returns true. */
  add(next: () => boolean): void;
}

interface Due {
  readonly next: () => boolean;
  atMs: number;
}

export function createPacer(gapMs: number): Pacer {
  // All have the same gap: the last one added is due last.
  const queue: Due[] = [];
  let first = 0;
  let isSet = false;
  return {
    add(next) {
      queue.push({ next, atMs: performance.now() + gapMs });
      set();
    },
  };

  function set() {
    const due = queue[first];
    if (isSet || due === undefined) return;
    isSet = true;
    setTimeout(callDue, Math.max(1, due.atMs - performance.now()));
  }

  function callDue() {
    isSet = false;
    const nowMs = performance.now();
    for (let due = queue[first]; due !== undefined && due.atMs <= nowMs; due = queue[first]) {
      first += 1;
      due.atMs += gapMs;
      if (due.next()) queue.push(due);
    }
    if (first > 10_000) first -= queue.splice(0, first).length;
    set();
  }
}
