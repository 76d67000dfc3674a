/** How threads that ask wake the one that has the store. Each side makes its own of one memory. */
export interface Bell {
  readonly memory: SharedArrayBuffer;
  /** Wakes the thread: there is something to do for it. */
  ring(): void;
  /** How often it was rung; to be read before looking for what there is to do. */
  count(): number;
  /** Waits until it was rung more often. A thread that answers requests never waits. */
  wait(count: number): void;
}

/** A bell that was not rung yet, or one side of the bell that has this memory. */
export function createBell(memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): Bell {
  const rung = new Int32Array(memory);
  return {
    memory,
    ring() {
      Atomics.add(rung, 0, 1);
      Atomics.notify(rung, 0);
    },
    count: () => Atomics.load(rung, 0),
    wait: (count) => void Atomics.wait(rung, 0, count),
  };
}
