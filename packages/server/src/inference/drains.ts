/** Calls whose caller is gone, and that are still waited for so that they are settled exactly. */
export interface Drains {
  /** Waits for `work`, and remembers how to cut it. */
  add(drain: { readonly work: Promise<void>; readonly cut: () => void }): void;
  /** Cuts every drain, at the end of the process; their calls are then booked as estimated. */
  cutAll(): void;
  /** Resolves when no drain is left. */
  empty(): Promise<void>;
  count(): number;
}

/** An empty set of drains. */
export function createDrains(): Drains {
  const running = new Set<{ readonly work: Promise<void>; readonly cut: () => void }>();
  return {
    add(drain) {
      running.add(drain);
      const end = () => void running.delete(drain);
      drain.work.then(end, end);
    },
    cutAll() {
      for (const drain of running) drain.cut();
    },
    async empty() {
      while (running.size > 0) await Promise.allSettled([...running].map((drain) => drain.work));
    },
    count: () => running.size,
  };
}
