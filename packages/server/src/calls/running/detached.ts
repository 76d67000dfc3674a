import { createInFlight, type InFlight } from '../../lib/in-flight.ts';

/** A call whose caller has gone, and that is still waited for so that it is settled exactly. */
export interface DetachedCall {
  readonly app: string;
  /** Ends when the call is settled; never rejects. */
  readonly work: Promise<void>;
  /** Ends the wait for the platform: the call is then booked as estimated. */
  readonly cut: () => void;
  /** What the call holds of its app's budget now. */
  readonly heldPicoUsd: () => bigint;
}

/** What goes on behind answers: detached calls, and settlements that outlast their requests. */
export interface DetachedCalls {
  /** Waits for a detached call; while the process is ending, it is cut at once. */
  add(call: DetachedCall): void;
  /** Settlements enter, and are waited for: they ask no platform, hold no place, are never cut. */
  readonly settling: Pick<InFlight, 'enter' | 'leave'>;
  /** Those that hold a permit of `limits.inFlight`: one that is cut gives it up at once. */
  count(): number;
  /**
   * Cuts the call with the smallest hold, the oldest of equal ones, since its estimate is wrong by
   * the least; of one app where it is named. False when there is none to cut.
   */
  cutSmallest(app?: string): boolean;
  /** Cuts every one, and those that are still to come, at the end of the process. */
  cutAll(): void;
  /** Resolves when neither a detached call nor a settlement is left. */
  empty(): Promise<void>;
}

/** Where all threads of the process count them. */
export interface CountedElsewhere {
  add(change: number): void;
}

/** An empty set of detached calls; how many hold a permit, all threads of the process know. */
export function createDetachedCalls(counted: CountedElsewhere): DetachedCalls {
  const waitedFor = createInFlight();
  const holding = new Set<DetachedCall>();
  let isEnding = false;
  return {
    add(call) {
      waitedFor.enter();
      void call.work.then(waitedFor.leave, waitedFor.leave);
      if (isEnding) return call.cut();
      holding.add(call);
      counted.add(1);
      void call.work.then(() => drop(call));
    },
    settling: waitedFor,
    count: () => holding.size,
    cutSmallest(app) {
      const smallest = smallestOf(holding, app);
      if (smallest !== undefined) cut(smallest);
      return smallest !== undefined;
    },
    cutAll() {
      isEnding = true;
      for (const call of [...holding]) cut(call);
    },
    empty: waitedFor.idle,
  };

  function cut(call: DetachedCall) {
    drop(call);
    call.cut();
  }

  function drop(call: DetachedCall) {
    if (holding.delete(call)) counted.add(-1);
  }
}

function smallestOf(
  calls: Iterable<DetachedCall>,
  app: string | undefined,
): DetachedCall | undefined {
  let smallest: { readonly call: DetachedCall; readonly held: bigint } | undefined;
  for (const call of calls) {
    if (app !== undefined && call.app !== app) continue;
    const held = call.heldPicoUsd();
    if (smallest === undefined || held < smallest.held) smallest = { call, held };
  }
  return smallest?.call;
}
