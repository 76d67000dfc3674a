import assert from 'node:assert';
import type {
  Conclusion,
  Expire,
  Operation,
  Outcome,
  Reserve,
  ReserveOutcome,
  Settle,
} from '../books/operations.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Log } from '../lib/log.ts';
import { createOneShot, type OneShot } from '../lib/one-shot.ts';
import { LedgerError, type LedgerQueue } from './queue.ts';

/** Each reservation is durable before the response, and ends exactly once. */
export interface Ledger {
  /**
   * Undefined if `isCanceled` was true before the transaction; then nothing was reserved. Throws a
   * LedgerError if the store is unavailable; then nothing may be sent.
   */
  reserve(
    operation: Omit<Reserve, 'kind'>,
    isCanceled: () => boolean,
  ): Promise<ReserveOutcome | undefined>;
  extend(operation: ExtendRequest): Promise<boolean>;
  /**
   * Retries while the store is unavailable; a retry is safe. Throws a LedgerError only for a broken
   * settlement, or if the process ends while the store is unavailable. The reservation then
   * expires.
   */
  settle(operation: Omit<Settle, 'kind'>): Promise<Conclusion>;
  /** Reserved by this process and not yet settled. */
  isLive(callId: string): boolean;
  liveCalls(): number;
  idle(): Promise<void>;
  /** Stops retries: unsettled reservations are left to expire. Returns the number of live calls. */
  end(): number;
  /** Throws a LedgerError if the operation was not committed. */
  submit(operation: Operation): Promise<Outcome>;
}

export interface ExtendRequest {
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly extension: number;
  readonly amount: bigint;
}

/** `reserve`, `extend` and `settle` are the only access to a call's money. */
export function createLedger(parts: { queue: LedgerQueue; clock: Clock; log: Log }): Ledger {
  const { queue, log } = parts;
  const live = createLiveCalls();
  const ending = createOneShot();
  const submitUntilDone = createSubmitUntilDone({ ...parts, ending });
  return {
    async reserve(operation, isCanceled) {
      const { callId } = operation.facts;
      // The sweeper of this process must not end a reservation during its commit.
      live.add(callId);
      try {
        const outcome = await queue.submit({ ...operation, kind: 'reserve' }, isCanceled);
        if (outcome?.kind !== 'reserved') live.delete(callId);
        if (outcome === undefined || outcome.kind === 'reserved') return outcome;
        return asReserveOutcome(outcome);
      } catch (error) {
        // The reservation may exist. Nothing is sent, so it must be removed.
        if (error instanceof LedgerError && error.kind === 'indeterminate') void release(operation);
        else live.delete(callId);
        throw error;
      }
    },
    async extend(operation) {
      const outcome = await queue.submit({ ...operation, kind: 'extend' });
      return outcome?.kind === 'extended';
    },
    async settle(operation) {
      const { callId } = operation.facts;
      let outcome: Outcome | undefined;
      try {
        outcome = await submitUntilDone({ ...operation, kind: 'settle' }, callId);
      } finally {
        // A call with a broken settlement is not live either, so the sweeper may end its
        // reservation.
        live.delete(callId);
      }
      assert(outcome?.kind === 'settled', `call ${callId} settles into ${outcome?.kind}`);
      if (outcome.isOrphan)
        log.error({ callId }, 'settlement found no reservation; cost booked anyway');
      return outcome;
    },
    isLive: (callId) => live.has(callId),
    liveCalls: live.count,
    idle: live.idle,
    end() {
      ending.fire();
      return live.count();
    },
    async submit(operation) {
      const outcome = await queue.submit(operation);
      assert(
        outcome !== undefined,
        'only a late operation is dropped, and this one has no deadline',
      );
      return outcome;
    },
  };

  /** Ends a reservation that might exist, once the store is available again. */
  async function release({ facts, now }: Omit<Reserve, 'kind'>) {
    const { callId, app, day, userId, month, keyHash } = facts;
    const ids = { callId, app, day, userId, month, keyHash };
    try {
      await submitUntilDone({ kind: 'expire', ...ids, now, isUnsent: true }, callId);
    } catch (error) {
      // The sweeper ends the reservation later, as an estimate.
      log.error(
        { callId, error: String(error) },
        'could not release a reservation; the sweeper will end it as an estimate',
      );
    }
    live.delete(callId);
  }
}

function createLiveCalls() {
  const callIds = new Set<string>();
  const inFlight = createInFlight();
  return {
    add(callId: string) {
      if (callIds.has(callId)) return;
      callIds.add(callId);
      inFlight.enter();
    },
    has: (callId: string) => callIds.has(callId),
    count: inFlight.count,
    delete(callId: string) {
      if (callIds.delete(callId)) inFlight.leave();
    },
    idle: inFlight.idle,
  };
}

function asReserveOutcome(outcome: Outcome): ReserveOutcome {
  switch (outcome.kind) {
    case 'refused':
    case 'outdated-budgets':
    case 'dead':
    case 'mismatch':
    case 'taken':
    case 'adoptable':
    case 'attach':
    case 'replay':
    case 'unstored':
      return outcome;
    default:
      assert.fail(`a reservation returned ${outcome.kind}`);
  }
}

const retryMs = { first: 50, most: 2_000 } as const;

/** Retries are safe. Stops when the operation itself is broken, or once `ending` has fired. */
function createSubmitUntilDone(parts: {
  readonly queue: LedgerQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly ending: OneShot;
}) {
  const { queue, clock, log, ending } = parts;
  return async (operation: Settle | Expire, callId: string): Promise<Outcome | undefined> => {
    let delayMs: number = retryMs.first;
    while (true) {
      try {
        return await queue.submit(operation);
      } catch (error) {
        const { kind } = operation;
        log.error(
          { callId, kind, error: String(error) },
          'could not write the end of a call; will retry',
        );
        if (error instanceof LedgerError && error.kind === 'invalid') throw error;
        if (!(await sleep(clock, delayMs, ending))) throw error;
        delayMs = Math.min(delayMs * 2, retryMs.most);
      }
    }
  };
}
