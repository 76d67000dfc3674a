import { createInFlight, type InFlight } from '../../lib/in-flight.ts';

export interface DetachedCall {
  readonly app: string;
  /** Resolves when settled; never rejects. */
  readonly work: Promise<void>;
  /** Cancels the call, which is booked as an estimate. */
  readonly cut: () => void;
  readonly heldPicoUsd: () => bigint;
}

export interface DetachedCalls {
  /** Cancels the call at once during shutdown. */
  add(call: DetachedCall): void;
  /** Shutdown waits for settlements and never cancels them; they hold no permit. */
  readonly settling: Pick<InFlight, 'enter' | 'leave'>;
  /**
   * Counts only calls with a permit of `limits.inFlight`. A canceled call releases its permit at
   * once.
   */
  count(): number;
  /**
   * Smallest reservation first, since its estimate errs least; then the oldest. False if none is
   * left.
   */
  cutSmallest(app?: string): boolean;
  /** Also cancels calls that are added later; for shutdown. */
  cutAll(): void;
  empty(): Promise<void>;
}

export interface SharedCounter {
  add(change: number): void;
}

/** All threads of the process share the count of permits. */
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
