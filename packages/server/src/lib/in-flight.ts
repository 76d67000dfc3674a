export interface InFlight {
  enter(): void;
  leave(): void;
  count(): number;
  idle(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    enter() {
      count += 1;
    },
    leave() {
      count -= 1;
      if (count > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    count: () => count,
    idle() {
      if (count === 0) return Promise.resolve();
      return new Promise((resolve) => void waiting.push(resolve));
    },
  };
}
