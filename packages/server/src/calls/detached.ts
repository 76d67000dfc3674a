import { createInFlight } from '../lib/in-flight.ts';

/** A call whose caller has gone, and that is still waited for so that it is settled exactly. */
export interface Drain {
  /** Ends when the call is settled; never rejects. */
  readonly work: Promise<void>;
  /** Ends the wait for the platform: the call is then booked as estimated. */
  readonly cut: () => void;
  /** What the call holds of its app's budget now. */
  readonly heldPicoUsd: () => bigint;
}

/** What goes on behind answers: calls that drain, and settlements that outlast their requests. */
export interface Drains {
  /** Waits for a drain; while the process is ending, it is cut at once. */
  add(drain: Drain): void;
  /** Waits for a settlement: it asks no platform, so it holds no place and cannot be cut. */
  settling(work: Promise<unknown>): void;
  /** Drains that hold a place of `limits.inFlight`: those that are cut give it up at once. */
  count(): number;
  /**
   * Cuts the drain with the smallest hold, the oldest of equal ones, since its estimate is wrong by
   * the least. False when there is none to cut.
   */
  cutSmallest(): boolean;
  /** Cuts every drain, and those that are still to come, at the end of the process. */
  cutAll(): void;
  /** Resolves when neither a drain nor a settlement is left. */
  empty(): Promise<void>;
}

/** An empty set of drains. */
export function createDrains(): Drains {
  const waitedFor = createInFlight();
  const holding = new Set<Drain>();
  let isEnding = false;
  return {
    add(drain) {
      wait(drain.work);
      if (isEnding) return drain.cut();
      holding.add(drain);
      void drain.work.then(() => holding.delete(drain));
    },
    settling: wait,
    count: () => holding.size,
    cutSmallest() {
      const smallest = smallestOf(holding);
      if (smallest !== undefined) cut(smallest);
      return smallest !== undefined;
    },
    cutAll() {
      isEnding = true;
      for (const drain of [...holding]) cut(drain);
    },
    empty: waitedFor.idle,
  };

  function wait(work: Promise<unknown>) {
    waitedFor.enter();
    work.then(waitedFor.leave, waitedFor.leave);
  }

  function cut(drain: Drain) {
    holding.delete(drain);
    drain.cut();
  }
}

function smallestOf(drains: Iterable<Drain>): Drain | undefined {
  let smallest: { readonly drain: Drain; readonly held: bigint } | undefined;
  for (const drain of drains) {
    const held = drain.heldPicoUsd();
    if (smallest === undefined || held < smallest.held) smallest = { drain, held };
  }
  return smallest?.drain;
}
