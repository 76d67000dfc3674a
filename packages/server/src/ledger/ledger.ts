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

/** The money of every call: durable before it is answered, ended exactly once. */
export interface Ledger {
  /**
   * Takes the most that a call can cost. Undefined when `isLate` said so before the transaction
   * began: nothing was taken. Throws a LedgerError when the store is away: nothing may be sent.
   */
  reserve(
    operation: Omit<Reserve, 'kind'>,
    isLate: () => boolean,
  ): Promise<ReserveOutcome | undefined>;
  /** Adds a further maximum; false when the budget has no room for it. */
  extend(operation: ExtendRequest): Promise<boolean>;
  /**
   * Ends a call's hold with its true cost. Tries again for as long as the store is away, since
   * the same settlement may be repeated. Answers what it left under the call's key.
   * Throws a LedgerError only when the settlement itself is broken, or when the process ends while
   * the store is away; its hold then expires.
   */
  settle(operation: Omit<Settle, 'kind'>): Promise<Conclusion>;
  /** Calls that this process has reserved and not yet settled. */
  isLive(callId: string): boolean;
  /** Calls that are not settled yet. */
  liveCalls(): number;
  /** Resolves when no call is live. */
  idle(): Promise<void>;
  /**
   * Says that the process ends: what does not go through now is not tried again, and its hold is
   * left to the expiry. Answers how many calls are live still.
   */
  end(): number;
  /** Any other operation; throws a LedgerError when it was not committed. */
  submit(operation: Operation): Promise<Outcome>;
}

/** What {@link Ledger.extend} takes. */
export interface ExtendRequest {
  readonly callId: string;
  readonly app: string;
  readonly day: string;
  readonly extension: number;
  readonly amount: bigint;
}

/**
 * The ledger over a queue; `reserve`, `extend` and `settle` are the only ways to a call's money.
 */
export function createLedger(parts: { queue: LedgerQueue; clock: Clock; log: Log }): Ledger {
  const { queue, log } = parts;
  const live = createLiveCalls();
  const ending = createOneShot();
  const submitUntilDone = createSubmitUntilDone({ ...parts, ending });
  return {
    async reserve(operation, isLate) {
      const { callId } = operation.facts;
      // A hold whose commit is under way is not to be swept by its own process.
      live.add(callId);
      try {
        const outcome = await queue.submit({ ...operation, kind: 'reserve' }, isLate);
        if (outcome?.kind !== 'reserved') live.delete(callId);
        if (outcome === undefined || outcome.kind === 'reserved') return outcome;
        return asReserveOutcome(outcome);
      } catch (error) {
        // It is not known whether there is a hold; and nothing is sent, so there must be none.
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
        // One that is broken is not live any more either: the sweeper may end its hold.
        live.delete(callId);
      }
      assert(outcome?.kind === 'settled', `call ${callId} settles into ${outcome?.kind}`);
      if (outcome.isOrphan)
        log.error({ callId }, 'a settlement found no hold: booked all the same');
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

  /** Ends what a reservation may have left, as soon as the store answers again. */
  async function release({ facts, now }: Omit<Reserve, 'kind'>) {
    const { callId, app, day, userId, month, keyHash } = facts;
    const ids = { callId, app, day, userId, month, keyHash };
    try {
      await submitUntilDone({ kind: 'expire', ...ids, now, isUnsent: true }, callId);
    } catch (error) {
      // The sweeper ends the hold in its time, as an estimate.
      log.error({ callId, error: String(error) }, 'a reservation could not be taken back');
    }
    live.delete(callId);
  }
}

/** The calls of this process whose money is held, or may be. */
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
      assert.fail(`a reservation came to ${outcome.kind}`);
  }
}

const retryMs = { first: 50, most: 2_000 } as const;

/**
 * Submits what ends a call, again and again while the store is away: the same operation may be
 * repeated. It gives up when the operation itself is broken, or once `ending` has fired.
 */
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
        log.error({ callId, kind, error: String(error) }, 'the end of a call did not go through');
        if (error instanceof LedgerError && error.kind === 'invalid') throw error;
        if (!(await sleep(clock, delayMs, ending))) throw error;
        delayMs = Math.min(delayMs * 2, retryMs.most);
      }
    }
  };
}
