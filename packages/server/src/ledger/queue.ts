import assert from 'node:assert';
import type { Operation, Outcome } from '../books/operations.ts';
import { type Clock, nextTurn, sleep } from '../lib/clock.ts';
import type { Observer } from '../lib/observer.ts';
import type { FailureKind, Store } from '../store/port/port.ts';

/** Group commit: the next batch collects operations while one transaction commits. */
export interface LedgerQueue {
  /**
   * In call order. Rejects with a LedgerError if the operation was not committed, or might not have
   * been. Drops an operation that `isCanceled` before its transaction, and resolves to undefined.
   */
  submit(operation: Operation, isCanceled?: () => boolean): Promise<Outcome | undefined>;
  length(): number;
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly kind: FailureKind;
  constructor(message: string, options: { kind: FailureKind; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.kind = options.kind;
  }
}

interface WaitingOperation {
  readonly operation: Operation;
  readonly isCanceled: (() => boolean) | undefined;
  readonly resolve: (outcome: Outcome | undefined) => void;
  readonly reject: (error: LedgerError) => void;
  /** Number of times that another transaction had locked one of its rows. */
  readonly conflicts: number;
  readonly sinceMs: number;
}

/** A larger transaction would delay its first operations. */
const batchMaxDefault = 256;
/** Number of waits for a row that another transaction has locked. */
const conflictsMax = 5;
const conflictWaitMs = 4;

/**
 * A smaller batch after one this large waits for more operations: under load a commit costs more
 * processor time than its content. An idle service never waits.
 */
const largeBatchMin = 8;
const gatherMs = 1;

/** One queue per process. */
export function createLedgerQueue(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly batchMax?: number;
  readonly observer?: Pick<Observer, 'batchCommitted'>;
}): LedgerQueue {
  const { store, clock, batchMax = batchMaxDefault, observer } = parts;
  let waiting: WaitingOperation[] = [];
  let isCommitting = false;
  return {
    submit(operation, isCanceled) {
      return new Promise((resolve, reject) => {
        const sinceMs = clock.monotonic();
        enqueue({ operation, isCanceled, resolve, reject, conflicts: 0, sinceMs });
      });
    },
    length: () => waiting.length,
  };

  function enqueue(entry: WaitingOperation) {
    waiting.push(entry);
    if (!isCommitting) void drain();
  }

  async function drain() {
    isCommitting = true;
    let before = 0;
    while (waiting.length > 0) {
      // A commit costs the same for one operation as for many, so the batch waits for those of this
      // turn.
      await nextTurn();
      if (before >= largeBatchMin && waiting.length < before) await sleep(clock, gatherMs);
      const batch = nextBatch();
      before = batch.length;
      if (batch.length > 0) await commit(batch);
    }
    isCommitting = false;
  }

  function nextBatch(): readonly WaitingOperation[] {
    const next = waiting.slice(0, batchMax);
    waiting = waiting.slice(batchMax);
    return next.filter((entry) => {
      const isCanceled = entry.isCanceled?.() === true;
      if (isCanceled) entry.resolve(undefined);
      return !isCanceled;
    });
  }

  async function commit(batch: readonly WaitingOperation[]) {
    const startedMs = clock.monotonic();
    try {
      const results = await store.commit(batch.map((entry) => entry.operation));
      for (const [index, entry] of batch.entries()) {
        const result = results[index];
        assert(result !== undefined, 'the store answers every operation of a batch');
        if (result.ok) entry.resolve(result.outcome);
        else if (result.kind === 'conflict' && entry.conflicts < conflictsMax) again(entry);
        else entry.reject(new LedgerError(result.error, { kind: result.kind }));
      }
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      for (const entry of batch)
        entry.reject(new LedgerError(message, { kind: 'unavailable', cause }));
    }
    const waitMs = startedMs - (batch[0]?.sinceMs ?? startedMs);
    const tookMs = clock.monotonic() - startedMs;
    observer?.batchCommitted?.({ operations: batch.length, waitMs, tookMs });
  }

  function again(entry: WaitingOperation) {
    const { conflicts } = entry;
    const enqueueAgain = () =>
      enqueue({ ...entry, conflicts: conflicts + 1, sinceMs: clock.monotonic() });
    clock.after(conflictWaitMs * 2 ** conflicts, enqueueAgain, { keepAlive: true });
  }
}
