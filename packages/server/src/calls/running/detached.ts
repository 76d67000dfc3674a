import { createInFlight, type InFlight } from '../../lib/in-flight.ts';

export interface DetachedCall {
  readonly app: string;
  /** Resolves when settled; never rejects. */
  readonly work: Promise<void>;
  /** Stops the wait; the call is booked as estimated. */
  readonly cut: () => void;
  readonly heldPicoUsd: () => bigint;
}

export interface DetachedCalls {
  /** Cuts the call at once while the process ends. */
  add(call: DetachedCall): void;
  /** Settlements are waited for and never cut; they hold no permit. */
  readonly settling: Pick<InFlight, 'enter' | 'leave'>;
  /** Only those with a permit of `limits.inFlight`; a cut call gives it up at once. */
  count(): number;
  /** Smallest hold first, then oldest: its estimate errs least. False when none is left. */
  cutSmallest(app?: string): boolean;
  /** Also cuts later ones; for the end of the process. */
  cutAll(): void;
  empty(): Promise<void>;
}

export interface SharedCounter {
  add(change: number): void;
}

/** An empty set of detached calls; how many hold a permit, all threads of the process know. */
export function createDetachedCalls(counter: SharedCounter): DetachedCalls {
  const waitedFor = createInFlight();
  const holding = new Set<DetachedCall>();
  let isEnding = false;
  return {
    add(call) {
      waitedFor.enter();
      void call.work.then(waitedFor.leave, waitedFor.leave);
      if (isEnding) return call.cut();
      holding.add(call);
      counter.add(1);
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
    if (holding.delete(call)) counter.add(-1);
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
