/** How many are there, for those who wait until nobody is. */
export interface Headcount {
  come(): void;
  go(): void;
  count(): number;
  /** Resolves as soon as nobody is there. */
  none(): Promise<void>;
}

/** Nobody yet. */
export function createHeadcount(): Headcount {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    come() {
      count += 1;
    },
    go() {
      count -= 1;
      if (count > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    count: () => count,
    none() {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => void waiting.push(resolve));
    },
  };
}
