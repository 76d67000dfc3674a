import type {
  Conclusion,
  Correct,
  Expire,
  Extend,
  Operation,
  Outcome,
  Reprice,
  Reserve,
  Settle,
} from '../../src/books/operations.ts';
import type { Attempt, CallFacts, CallRecord, IdempotencyRow } from '../../src/books/rows.ts';
import type { LedgerRows } from '../conformance/ledger-rows.ts';
import type { ScopeChange, Subject } from '../conformance/subject.ts';
import {
  repriced,
  repricedCall,
  settledAttempts,
  spread,
  sumOf,
  withReason,
} from './oracle-attempts.ts';
import {
  availableCredits,
  budgetOf,
  emptyBooks,
  least,
  listedIn,
  most,
  nameOf,
  type OpenHold,
  payFromWallet,
  remainingGrant,
  rowsOf,
} from './oracle-books.ts';
import { admitted, budgetRefusal, mayExtend } from './oracle-budgets.ts';
import {
  claim,
  dueAfter,
  isPaidUnder,
  keyOf,
  paidFor,
  paidUnder,
  recordOf,
  withEarlier,
  withKey,
} from './oracle-keys.ts';
import {
  BrokenPromise,
  factsOf,
  isHighestPrice,
  isLost,
  isSameCall,
  isSameReservation,
  isSameSettlement,
  lostCall,
  promised,
  walletHeldOf,
} from './oracle-promises.ts';
import { withRowsOf } from './oracle-rows.ts';
import { collect, release, type Step, topUp, walletCostOf } from './oracle-wallets.ts';

/** The oracle's result for one operation: its outcome, or the failure of this operation only. */
export type Verdict = { readonly ok: true; readonly outcome: Outcome } | { readonly ok: false };

/** A second ledger, slow and simple, written from `ledger.md` and not from the core. */
export interface Oracle {
  /** An operator's change of an app's daily budget. It affects `today` and the days after it. */
  setCap(change: { app: string; cap: bigint | undefined; today: string }): void;
  /** An operator's change of another budget. */
  setScope(change: ScopeChange): void;
  /** A heartbeat of a process. */
  seen(instanceId: string, at: number): void;
  commit(batch: readonly Operation[]): readonly Verdict[];
  openCalls(): readonly CallFacts[];
  rows(): LedgerRows;
}

/** Opens an oracle on an empty ledger, with the same rule for instances as its subject. */
export function createOracle({ instancesGoByTime }: Pick<Subject, 'instancesGoByTime'>): Oracle {
  let books = emptyBooks;
  return {
    setCap({ app, cap, today }) {
      const caps = [...books.caps.filter((row) => row.app !== app), { app, cap }];
      const days = books.days.map((row) =>
        row.app === app && row.day >= today ? { ...row, cap } : row,
      );
      books = { ...books, caps, days };
    },
    setScope({ scope, cap, mode }) {
      const scopes = books.scopes.map((row) => (row.scope === scope ? { ...row, cap, mode } : row));
      books = { ...books, scopes, revision: books.revision + 1n };
    },
    seen(instanceId, at) {
      const others = books.instances.filter((row) => row.instanceId !== instanceId);
      books = { ...books, instances: [...others, { instanceId, at }] };
    },
    commit,
    openCalls: () => books.holds.map(factsOf),
    rows: () => rowsOf(books),
  };

  function commit(batch: readonly Operation[]): readonly Verdict[] {
    const before = books;
    try {
      for (const operation of batch) books = withRowsOf(books, operation);
      const made = books;
      const outcomes: Outcome[] = [];
      for (const operation of batch) outcomes.push(apply(operation));
      // A transaction that only created rows for its operations has no effect.
      if (books === made) books = before;
      return outcomes.map((outcome) => ({ ok: true, outcome }));
    } catch (error) {
      if (!(error instanceof BrokenPromise)) throw error;
      books = before;
      if (batch.length === 1) return [{ ok: false }];
      return batch.flatMap((operation) => commit([operation]));
    }
  }

  function apply(operation: Operation): Outcome {
    switch (operation.kind) {
      case 'reserve':
        return reserve(operation);
      case 'extend':
        return extend(operation);
      case 'settle':
        return settle(operation);
      case 'expire':
        return expire(operation);
      case 'collect':
        return take(collect(books, operation));
      case 'release':
        return take(release(books, operation));
      case 'correct':
        return correct(operation);
      case 'reprice':
        return reprice(operation);
      case 'top-up':
        return take(topUp(books, operation));
    }
  }

  function take(step: Step): Outcome {
    books = step.books;
    return step.outcome;
  }

  function reserve(operation: Reserve): Outcome {
    const { facts, amount, wallet } = operation;
    const open = books.holds.find((hold) => hold.callId === facts.callId);
    if (open !== undefined) {
      promised(isSameReservation(open, operation), 'the same reservation again');
      return { kind: 'reserved' };
    }
    promised(callOf(facts.callId) === undefined, 'a call is reserved before it ends');
    if (operation.budgetsRevision !== books.revision) return { kind: 'outdated-budgets' };
    const taken = claim(books, operation, instancesGoByTime);
    if (taken !== undefined) return taken;

    endDead(operation);
    const refused = budgetRefusal(books, operation);
    if (refused !== undefined) return withEarlier(books, operation, refused);
    const { userId, month } = facts;
    const isMetered = wallet !== undefined && userId !== undefined && month !== undefined;
    const whose = { app: facts.app, userId: userId ?? '', month: month ?? '' };
    if (isMetered) {
      const credits = availableCredits(books, whose, wallet);
      const closed = wallet.closedAt === undefined ? {} : { closedAt: wallet.closedAt };
      if (credits.available < amount || 'closedAt' in closed) {
        const code = 'INSUFFICIENT_CREDITS';
        return { kind: 'refused', code, ...credits, needed: amount, ...closed };
      }
    }

    const fromGrant = isMetered ? least(amount, remainingGrant(books, whose, wallet)) : 0n;
    const fromTopup = isMetered ? amount - fromGrant : 0n;
    const parts = { budgetAmount: amount, grantAmount: fromGrant, topupAmount: fromTopup };
    const { instanceId, expiresAt } = operation;
    const names = operation.scopes.map(nameOf).toSorted();
    const scopes = names.length === 0 ? undefined : JSON.stringify(names);
    const own = { extensions: 0, instanceId, expiresAt, scopes };
    const hold = { ...facts, ...parts, ...own, firstAmount: amount };
    const { cap } = budgetOf(books, facts.app, facts.day);
    const admission = { app: facts.app, day: facts.day, cap };
    books = {
      ...books,
      ...admitted(books, names, operation),
      holds: [...books.holds, hold],
      admissions: [...books.admissions, admission],
    };
    if (operation.idempotency !== undefined) takeKey(operation, operation.idempotency);
    return { kind: 'reserved' };
  }

  function putKey(key: IdempotencyRow) {
    books = withKey(books, key);
  }

  /** A reservation that ends a dead call takes its key over, and is decided afterwards. */
  function endDead(operation: Reserve) {
    if (recordOf(books, operation)?.state !== 'running' || operation.ends === undefined) return;
    expire({ kind: 'expire', ...operation.ends });
  }

  function takeKey(operation: Reserve, claim: NonNullable<Reserve['idempotency']>) {
    const { facts, instanceId } = operation;
    const { app, callId } = facts;
    const { badOutputs = 0, walletPaid = 0n } = recordOf(books, operation) ?? {};
    putKey({ ...claim, app, state: 'running', callId, instanceId, badOutputs, walletPaid });
  }

  function extend(operation: Extend): Outcome {
    const { callId, extension, amount } = operation;
    const hold = books.holds.find((row) => row.callId === callId);
    if (hold === undefined) return { kind: 'not-extended' };
    promised(isSameCall(hold, { app: operation.app, day: operation.day }), 'the same call');
    if (hold.extensions >= extension) return { kind: 'extended' };
    const { cap, spent, held } = budgetOf(books, hold.app, hold.day);
    if (spent + held + amount > (cap ?? most)) return { kind: 'not-extended' };
    if (!mayExtend(books, hold, operation)) return { kind: 'not-extended' };
    const larger = { ...hold, budgetAmount: hold.budgetAmount + amount, extensions: extension };
    const admission = { app: hold.app, day: hold.day, cap };
    books = {
      ...books,
      ...admitted(books, listedIn(hold.scopes), undefined),
      holds: [...books.holds.filter((row) => row !== hold), larger],
      admissions: [...books.admissions, admission],
    };
    return { kind: 'extended' };
  }

  function settle(operation: Settle): Outcome {
    const { facts, answeredBy } = operation;
    const end = { ...operation.end, ...answeredBy };
    const ended = callOf(facts.callId);
    if (ended !== undefined && !isLost(ended)) return settleAgain(operation, ended);
    if (ended !== undefined) return settleAfterExpiry(operation, ended);
    const hold = books.holds.find((row) => row.callId === facts.callId);
    if (hold === undefined) {
      const unpaid = { walletGrant: 0n, walletTopup: 0n, scopes: undefined };
      const none = { held: 0n, heldAtEnd: undefined, walletHeld: undefined };
      const unheld = { ...unpaid, ...none, basis: 'orphan' } as const;
      putCall({ ...facts, ...end, ...unheld, instanceId: undefined }, operation.attempts);
      return { kind: 'settled', isOrphan: true, ...conclude(operation) };
    }
    promised(isSameCall(hold, facts), 'a settlement of the call that was reserved');
    const due = walletCostOf(books, operation, hold.grantAmount + hold.topupAmount);
    const isUnclaimed = leaveUnclaimed(operation, due, hold);
    const walletCost = isUnclaimed ? 0n : due;
    const walletGrant = least(walletCost, hold.grantAmount);
    const walletTopup = least(walletCost - walletGrant, hold.topupAmount);
    const { budgetAmount: held, instanceId, scopes } = hold;
    const ofHold = { held, heldAtEnd: held, walletHeld: walletHeldOf(hold), instanceId, scopes };
    const paid = { walletGrant, walletTopup, ...ofHold };
    putCall({ ...facts, ...end, ...paid }, operation.attempts);
    const concluded = conclude(operation);
    books = paidUnder(books, facts, walletGrant + walletTopup);
    return { kind: 'settled', isOrphan: false, ...concluded };
  }

  function settleAgain({ facts, end, answeredBy }: Settle, ended: CallRecord): Outcome {
    const last = { ...facts, ...answeredBy };
    promised(isSameSettlement(ended, last, end), 'the same settlement again');
    const isOrphan = ended.basis === 'orphan';
    return { kind: 'settled', isOrphan, ...conclusionOf(facts) };
  }

  /** The call's reservation has expired: the true cost replaces the estimate, on the same day. */
  function settleAfterExpiry(operation: Settle, lost: CallRecord): Outcome {
    const { facts, end } = operation;
    promised(isSameCall(lost, facts), 'a settlement of the call that was reserved');
    const isCorrected = lost.basis === 'corrected';
    const { cost, estimated, basis } = isCorrected ? lost : end;
    const first = lost.walletHeld ?? 0n;
    const bound = isCorrected ? least(first, lost.cost) : first;
    const due = walletCostOf(books, operation, bound);
    const isUnclaimed = leaveUnclaimed(operation, due, { grantAmount: 0n, topupAmount: 0n });
    const payment = payFromWallet(books, lost, isUnclaimed ? 0n : due);
    const { walletGrant = 0n, walletTopup = 0n } = payment;
    const by = operation.answeredBy;
    const after = { ...lost, ...end, ...by, cost, estimated, basis, ...payment };
    replaceCall(lost, after, settledAttempts(operation, after));
    const concluded = conclude(operation);
    books = paidUnder(books, facts, walletGrant + walletTopup);
    return { kind: 'settled', isOrphan: false, ...concluded };
  }

  /** A result that nobody received waits for a retry, and so does its reservation of the wallet. */
  function leaveUnclaimed(
    { facts, isUnclaimed, answerExpiresAt: expiresAt }: Settle,
    cost: bigint,
    {
      grantAmount: grantHeld,
      topupAmount: topupHeld,
    }: Pick<OpenHold, 'grantAmount' | 'topupAmount'>,
  ): boolean {
    const { callId, app, day, userId, month } = facts;
    if (isUnclaimed !== true || userId === undefined || month === undefined || cost === 0n) {
      return false;
    }
    const held = { grantHeld, topupHeld, cost, expiresAt, claimedBy: undefined };
    const row = { callId, app, day, userId, month, ...held };
    books = { ...books, unclaimed: [...books.unclaimed, row] };
    return true;
  }

  function expire({ kind, now, ...facts }: Expire): Outcome {
    const { callId } = facts;
    const hold = books.holds.find((row) => row.callId === callId);
    if (hold === undefined) return { kind: 'ended-before' };
    promised(isSameCall(hold, facts), 'the same call');
    putCall(lostCall(hold, now));
    const key = keyOf(books, hold.app, hold.keyHash);
    if (key?.callId === callId && key.state === 'running') putKey({ ...key, state: 'failed' });
    return { kind: 'expired' };
  }

  function correct({ kind, cost, ...facts }: Correct): Outcome {
    const before = callOf(facts.callId);
    if (before === undefined) return { kind: 'no-call' };
    promised(isSameCall(before, facts), 'the same call');
    const isPaidByWallet = before.walletGrant + before.walletTopup > 0n;
    const bound = least(cost, before.walletHeld ?? 0n);
    const due = dueAfter(books, before, bound);
    const payment = isPaidByWallet ? payFromWallet(books, before, due) : {};
    const after = { ...before, ...payment, cost, estimated: 0n, basis: 'corrected' } as const;
    const more = paidFor(after) - paidFor(before);
    books = isPaidUnder(books, before) ? paidUnder(books, before, more) : books;
    replaceCall(before, after, spread(attemptsOf(facts.callId), cost));
    return { kind: 'corrected', before: before.cost };
  }

  function reprice(operation: Reprice): Outcome {
    const { callId, app, day, cost, costBefore } = operation;
    const before = callOf(callId);
    if (before === undefined) return { kind: 'no-call' };
    promised(before.app === app && before.day === day, 'the same call');
    const isPriced = before.priceVersion !== undefined && !isHighestPrice(before.priceVersion);
    const isClosed = isPriced || isLost(before) || before.basis === 'corrected';
    const attempts = repriced(attemptsOf(callId), operation);
    const isOther = attempts.length > 0 && sumOf(attempts) !== cost;
    if (isClosed || isOther || before.cost !== costBefore) return { kind: 'not-repriced' };
    replaceCall(before, repricedCall(before, operation, attempts), attempts);
    return { kind: 'repriced' };
  }

  function callOf(callId: string): CallRecord | undefined {
    return books.calls.find((row) => row.callId === callId);
  }

  /** Writes a call's record, and releases its whole reservation. */
  function putCall(call: CallRecord, own: readonly Attempt[] = []) {
    const holds = books.holds.filter((row) => row.callId !== call.callId);
    const others = books.calls.filter((row) => row.callId !== call.callId);
    const rows = books.attempts.filter((row) => row.callId !== call.callId);
    const calls = [...others, withReason(call, call.estimated > 0n)];
    const attempts = own.map((row) => withReason(row, row.basis === 'estimated'));
    books = { ...books, holds, calls, attempts: [...rows, ...attempts] };
  }

  /**
   * Replaces the cost of an ended call. Amounts that an earlier cost released may be used by now.
   */
  function replaceCall(before: CallRecord, after: CallRecord, own: readonly Attempt[]) {
    putCall({ ...after, held: least(before.held, before.cost) }, own);
  }

  function attemptsOf(callId: string): readonly Attempt[] {
    return books.attempts.filter((row) => row.callId === callId);
  }

  /** The row of a settlement's key, while the key still names its call. */
  function conclude({ facts, end, outcome, answerExpiresAt, ...left }: Settle): Conclusion {
    const key = keyOf(books, facts.app, facts.keyHash);
    if (key?.callId !== facts.callId) return conclusionOf(facts);
    if (outcome === 'forgotten' && key.walletPaid === 0n) {
      books = { ...books, keys: books.keys.filter((row) => row !== key) };
      return conclusionOf(facts);
    }
    const badOutputs = key.badOutputs + (end.code === 'BAD_OUTPUT' ? 1 : 0);
    const isLast = end.code === 'BAD_OUTPUT' && badOutputs > 1;
    const { result } = outcome === 'answered' || isLast ? left : {};
    const runsAgain = outcome === 'failed' || outcome === 'forgotten';
    const state = runsAgain && !isLast ? 'failed' : 'unstored';
    putKey({ ...key, state, expiresAt: answerExpiresAt, badOutputs });
    const of = { app: key.app, keyHash: key.keyHash, callId: key.callId, at: end.endedAt };
    if (result) books = { ...books, results: [...books.results, { ...of, ...result }] };
    return conclusionOf(facts);
  }

  /** The current row of a call's key. */
  function conclusionOf({ app, keyHash, callId }: CallFacts): Conclusion {
    const key = keyOf(books, app, keyHash);
    if (key?.callId === callId) return { badOutputs: key.badOutputs, takenOverBy: undefined };
    return { badOutputs: 0, takenOverBy: key?.callId };
  }
}
