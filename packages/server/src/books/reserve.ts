import assert from 'node:assert';
import { picoUsdMax, smaller } from '../lib/money.ts';
import type { Book } from './book.ts';
import { expire } from './expire.ts';
import { claim, recordOf } from './idempotency.ts';
import type { Reserve, ReserveOutcome } from './operations.ts';
import { capOf, refuseByBudgets, wouldRefuse } from './refuse.ts';
import type { BudgetDay, CallFacts, Hold, WalletMonth, WalletTopup } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';
import type { BudgetScope } from './scope.ts';
import { type CountedScopes, countedOf, shadowOnly } from './uncounted.ts';

export function reserve(book: Book, operation: Reserve): ReserveOutcome {
  const { facts, amount } = operation;
  const open = book.holds.get(facts.callId);
  if (open !== undefined) {
    assertSameReservation(open, operation);
    return { kind: 'reserved' };
  }
  // Every call is checked here, so messages are built only on failure.
  if (book.calls.get(facts.callId) !== undefined) {
    assert.fail(`call ${facts.callId} has ended before`);
  }

  if (operation.budgetsRevision !== book.budgetsRevision) return { kind: 'outdated-budgets' };
  const claimOutcome = claim(book, operation);
  if (claimOutcome !== undefined) return claimOutcome;
  const budget = book.budgets.get(facts.app, facts.day);
  if (budget === undefined)
    assert.fail(`no budget row for app ${facts.app}: it is not in the store`);
  const claimed = book.scopes.claimed(operation.scopes);
  const scopes = claimed.rows;
  const rows = walletRowsOf(book, facts, operation);
  if (operation.ends !== undefined) endDead(book, operation, operation.ends);
  const refusal = operation.isSpent ? undefined : refuseByBudgets(budget, scopes, operation);
  if (refusal !== undefined) return withEarlier(book, operation, refusal);
  const wallet = rows && walletOf(rows);
  const closedAt = operation.wallet?.closedAt;
  if (wallet !== undefined && (wallet.available < amount || closedAt !== undefined)) {
    return {
      kind: 'refused',
      code: 'INSUFFICIENT_CREDITS',
      available: wallet.available,
      held: wallet.month.heldGrant + wallet.topup.held,
      needed: amount,
      picoUsdPerCredit: wallet.month.picoUsdPerCredit,
      ...(closedAt === undefined ? {} : { closedAt }),
    };
  }

  // No rejection from here on, only writes.
  const counted = countedOf(scopes, claimed.list, amount, shadowOnly);
  takeScopes(book, counted, operation);
  take(book, budget, wallet, operation, counted.list);
  return { kind: 'reserved' };
}

function assertSameReservation(open: Hold, operation: Reserve) {
  const { facts, amount, instanceId, expiresAt } = operation;
  assertSameFacts(open, facts);
  const isSameAmount = open.extensions > 0 || open.budgetAmount === amount;
  assert(
    isSameAmount && open.instanceId === instanceId && open.expiresAt === expiresAt,
    `call ${facts.callId} holds with other arguments`,
  );
}

/**
 * Otherwise the user would pay for both calls, and be rejected for the first. Does nothing if the
 * reservation has already ended and the key is free.
 */
function endDead(book: Book, operation: Reserve, ends: NonNullable<Reserve['ends']>) {
  const row = recordOf(book, operation);
  if (row?.state !== 'running' || row.callId !== ends.callId) return;
  expire(book, { kind: 'expire', ...ends });
}

/** The booked cost of an earlier call under the key might exhaust the budget. */
function withEarlier(book: Book, operation: Reserve, refusal: ReserveOutcome): ReserveOutcome {
  const row = recordOf(book, operation);
  if (row === undefined || !('refusing' in refusal)) return refusal;
  return { ...refusal, earlierCall: row.callId };
}

interface WalletRows {
  readonly month: WalletMonth;
  readonly topup: WalletTopup;
}

interface Wallet extends WalletRows {
  readonly remainingGrant: bigint;
  readonly available: bigint;
}

function walletRowsOf(book: Book, facts: CallFacts, operation: Reserve): WalletRows | undefined {
  if (operation.wallet === undefined) return undefined;
  const { app, userId, month: period } = facts;
  assert(userId !== undefined && period !== undefined, 'a metered call names its user and month');
  const month = book.wallets.get(app, userId, period);
  const topup = book.topups.get(app, userId);
  assert(month !== undefined && topup !== undefined, `no wallet row for a user of ${app}`);
  return { month, topup };
}

function walletOf({ month, topup }: WalletRows): Wallet {
  const remainingGrant = month.granted - month.spentGrant - month.heldGrant;
  return {
    month,
    topup,
    remainingGrant,
    available: remainingGrant + topup.added - topup.spent - topup.held,
  };
}

function takeScopes(book: Book, { rows, uncounted }: CountedScopes, operation: Reserve) {
  const { amount } = operation;
  for (const scope of uncounted) {
    countRefusal(scope, amount);
    book.scopes.put(scope);
  }
  for (const scope of rows) {
    if (wouldRefuse(scope, operation)) countRefusal(scope, amount);
    scope.held += amount;
    scope.admittedCap = operation.isSpent ? undefined : capOf(scope);
    book.scopes.put(scope);
  }
}

function countRefusal(scope: BudgetScope, amount: bigint) {
  scope.wouldRefuse += 1n;
  scope.wouldRefuseAmount = smaller(picoUsdMax, scope.wouldRefuseAmount + amount);
}

function take(
  book: Book,
  budget: BudgetDay,
  wallet: Wallet | undefined,
  operation: Reserve,
  scopes: string | undefined,
) {
  const { facts, amount, instanceId, expiresAt } = operation;
  budget.held += amount;
  if (operation.isSpent !== true) budget.admittedCap = budget.cap;
  book.budgets.put(budget);
  // The grant expires at the month's end and top-ups do not, so the grant is spent first.
  const grantAmount = wallet === undefined ? 0n : smaller(amount, wallet.remainingGrant);
  const topupAmount = wallet === undefined ? 0n : amount - grantAmount;
  // An unchanged row is not written: most wallets have no top-ups.
  if (wallet !== undefined && grantAmount > 0n) {
    wallet.month.heldGrant += grantAmount;
    book.wallets.put(wallet.month);
  }
  if (wallet !== undefined && topupAmount > 0n) {
    wallet.topup.held += topupAmount;
    book.topups.put(wallet.topup);
  }
  book.holds.start({
    ...facts,
    budgetAmount: amount,
    grantAmount,
    topupAmount,
    extensions: 0,
    instanceId,
    expiresAt,
    scopes,
  });
  if (operation.idempotency === undefined) return;
  const earlier = recordOf(book, operation);
  book.idempotency.put({
    app: facts.app,
    keyHash: operation.idempotency.keyHash,
    fingerprint: operation.idempotency.fingerprint,
    state: 'running',
    callId: facts.callId,
    instanceId,
    expiresAt: operation.idempotency.expiresAt,
    badOutputs: earlier?.badOutputs ?? 0,
    // Equal requests without a key share their keys, and each pays for itself.
    walletPaid: operation.idempotency.adoption === undefined ? (earlier?.walletPaid ?? 0n) : 0n,
  });
}
