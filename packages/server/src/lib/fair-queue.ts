/** Work that waits, by the app that it is for: no app's work waits for another's queue. */
export interface FairQueue<T> {
  add(app: string, work: T): void;
  /** The next of an app that none is busy with; apps take turns. */
  take(busy: ReadonlySet<string>): T | undefined;
  /** Whether there is any to take. */
  isWaiting(busy: ReadonlySet<string>): boolean;
  /** Takes out work that waits no longer; false when it is not there. */
  remove(app: string, work: T): boolean;
}

/** An empty queue. */
export function createFairQueue<T>(): FairQueue<T> {
  // In the order of their turns; never an empty list.
  const byApp = new Map<string, T[]>();
  return {
    add(app, work) {
      const waiting = byApp.get(app);
      if (waiting === undefined) byApp.set(app, [work]);
      else waiting.push(work);
    },
    take(busy) {
      for (const [app, waiting] of byApp) {
        if (busy.has(app)) continue;
        const work = waiting.shift();
        // Its next turn is after all others'.
        byApp.delete(app);
        if (waiting.length > 0) byApp.set(app, waiting);
        return work;
      }
      return undefined;
    },
    isWaiting(busy) {
      for (const app of byApp.keys()) if (!busy.has(app)) return true;
      return false;
    },
    remove(app, work) {
      const waiting = byApp.get(app);
      const index = waiting?.indexOf(work) ?? -1;
      if (waiting === undefined || index === -1) return false;
      waiting.splice(index, 1);
      if (waiting.length === 0) byApp.delete(app);
      return true;
    },
  };
}
