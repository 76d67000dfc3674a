import assert from 'node:assert';
import { formatUsd, larger, smaller } from '../lib/money.ts';
import { correctedAttempts } from './attempts.ts';
import type { Book } from './book.ts';
import { endHold } from './end-hold.ts';
import { lostCode } from './expire.ts';
import { type HeldWallet, heldWalletOf, walletHeldOf, walletMostOf } from './held-wallet.ts';
import { conclude } from './idempotency.ts';
import { changeCarriedOver } from './members.ts';
import { monthCorrections } from './month-correction.ts';
import type { Outcome, Settle } from './operations.ts';
import { noPayment, type Payment, payFromWallet } from './pay-from-wallet.ts';
import { budgetsOf, replaceCost } from './replace-cost.ts';
import type { CallFacts, CallRecord, Hold } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';

/**
 * Books on the reservation's own day and month. Corrects a call whose reservation has expired. Also
 * books a call without a reservation.
 */
export function settle(book: Book, operation: Settle): Outcome {
  const { facts, end } = operation;
  const before = book.calls.get(facts.callId);
  if (before !== undefined) return settleAgain(book, operation, before);
  const hold = book.holds.get(facts.callId);
  if (hold !== undefined) assertSameFacts(hold, facts);
  const budget = book.budgets.get(facts.app, facts.day);
  if (budget === undefined)
    assert.fail(`no budget row for app ${facts.app}: it is not in the store`);
  const heldWallet = hold && heldWalletOf(book, hold);

  const held = hold?.budgetAmount ?? 0n;
  const { cost, estimated } = end;
  const list = endHold(book, budget, hold?.scopes, { held, cost, estimated });
  const isUnclaimed = hold !== undefined && leaveUnclaimed(book, operation, hold, mostOf(hold));
  const paid =
    hold === undefined || heldWallet === undefined || isUnclaimed
      ? noPayment
      : payFromHold(book, { ...hold, ...heldWallet }, walletCostOf(book, operation, mostOf(hold)));
  if (hold === undefined) changeCarriedOver(book, { ...facts, scopes: undefined }, cost);
  else book.holds.end(hold);
  const record = recordOf(operation, hold, paid, list);
  book.calls.put(record);
  if (operation.attempts !== undefined) book.attempts.put(operation.attempts);
  book.addUsage(record, operation.attempts);
  addAuditLine(book, operation, record);
  const concluded = conclude(book, operation);
  notePaid(book, facts, paid);
  return { kind: 'settled', isOrphan: hold === undefined, ...concluded };
}

/** Field by field, because every call passes here and consecutive spreads are slow. */
function recordOf(
  { facts, end, answeredBy }: Settle,
  hold: Hold | undefined,
  { walletGrant, walletTopup }: Payment,
  scopes: string | undefined,
): CallRecord {
  return {
    ...(answeredBy === undefined ? facts : { ...facts, ...answeredBy }),
    code: end.code,
    tokens: end.tokens,
    cost: end.cost,
    estimated: end.estimated,
    basis: hold === undefined ? 'orphan' : end.basis,
    estimateReason: end.estimateReason,
    attempts: end.attempts,
    upstreamId: end.upstreamId,
    endedAt: end.endedAt,
    firstMs: end.firstMs,
    walletGrant,
    walletTopup,
    held: hold?.budgetAmount ?? 0n,
    heldAtEnd: hold?.budgetAmount,
    walletHeld: hold && walletHeldOf(hold),
    instanceId: hold?.instanceId,
    scopes,
  };
}

function settleAgain(book: Book, operation: Settle, before: CallRecord): Outcome {
  const { end } = operation;
  const facts = { ...operation.facts, ...operation.answeredBy };
  if (before.code === lostCode) return settleAfterExpiry(book, operation, before);
  // An operator might have corrected its price since.
  const { priceVersion } = before;
  assertSameFacts(before, { ...facts, priceVersion });
  // An operator's correction remains, so the cost cannot be compared.
  const isSameCost =
    before.basis === 'corrected' ||
    priceVersion !== facts.priceVersion ||
    (before.cost === end.cost && before.estimated === end.estimated);
  assert(
    isSameCost && before.code === end.code && before.endedAt === end.endedAt,
    `call ${facts.callId} was settled before, with other figures`,
  );
  const row = facts.keyHash && book.idempotency.get(facts.app, facts.keyHash);
  const isOwn = !row || row.callId === facts.callId;
  return {
    kind: 'settled',
    isOrphan: before.basis === 'orphan',
    badOutputs: row && isOwn ? row.badOutputs : 0,
    takenOverBy: row && !isOwn ? row.callId : undefined,
  };
}

/** The true cost replaces the estimate, unless an operator has already corrected it. */
function settleAfterExpiry(book: Book, operation: Settle, before: CallRecord): Outcome {
  const { facts, end, answeredBy, attempts = [] } = operation;
  assertSameFacts(before, facts);
  const isCorrected = before.basis === 'corrected';
  const { cost, estimated, basis, estimateReason } = isCorrected ? before : end;
  const budgets = budgetsOf(book, before);

  const most = isCorrected ? smaller(before.cost, walletMostOf(before)) : walletMostOf(before);
  const isUnclaimed = leaveUnclaimed(book, operation, noneHeld, most);
  const paid = isUnclaimed
    ? noPayment
    : payFromWallet(book, facts, walletCostOf(book, operation, most));
  replaceCost(book, budgets, {
    before: { call: before, attempts: [] },
    after: {
      call: { ...before, ...end, ...answeredBy, ...paid, cost, estimated, basis, estimateReason },
      attempts: isCorrected ? correctedAttempts(attempts, cost) : attempts,
    },
  });
  addAuditLine(book, operation);
  const concluded = conclude(book, operation);
  notePaid(book, facts, paid);
  return { kind: 'settled', isOrphan: false, ...concluded };
}

/** `added`: a call that was missing, possibly of a past month. */
function addAuditLine(book: Book, { line, end, attempts = [] }: Settle, added?: CallRecord) {
  if (line === undefined) return;
  book.addLine({ ...line, before: undefined, after: formatUsd(end.cost) });
  if (added === undefined) return;
  book.correctMonths(monthCorrections(line.at, undefined, { call: added, attempts }));
}

/**
 * At most `most`. A user pays once under a key: only for the call that the key still names, and
 * only above the payments for calls before it.
 */
function walletCostOf(book: Book, { facts, walletCost }: Settle, most: bigint): bigint {
  const cost = smaller(walletCost, most);
  if (facts.keyHash === undefined) return cost;
  const row = book.idempotency.get(facts.app, facts.keyHash);
  return row?.callId === facts.callId ? larger(0n, cost - row.walletPaid) : 0n;
}

const noneHeld = { grantAmount: 0n, topupAmount: 0n };

/**
 * The wallet's reservation remains for the retry that collects the result. Without a cost for the
 * wallet, nothing remains.
 */
function leaveUnclaimed(
  book: Book,
  operation: Settle,
  { grantAmount: grantHeld, topupAmount: topupHeld }: Pick<Hold, 'grantAmount' | 'topupAmount'>,
  most: bigint,
): boolean {
  const { callId, app, day, userId, month } = operation.facts;
  if (operation.isUnclaimed !== true || userId === undefined || month === undefined) return false;
  const cost = walletCostOf(book, operation, most);
  if (cost === 0n) return false;
  const [expiresAt, claimedBy] = [operation.answerExpiresAt, undefined];
  const held = { grantHeld, topupHeld, cost, expiresAt, claimedBy };
  book.unclaimed.add({ callId, app, day, userId, month, ...held });
  return true;
}

function mostOf({ grantAmount, topupAmount }: Hold): bigint {
  return grantAmount + topupAmount;
}

function notePaid(book: Book, { app, keyHash }: CallFacts, { walletGrant, walletTopup }: Payment) {
  const paid = walletGrant + walletTopup;
  const row = keyHash === undefined || paid === 0n ? undefined : book.idempotency.get(app, keyHash);
  if (row === undefined) return;
  row.walletPaid += paid;
  book.idempotency.put(row);
}

type HeldAmounts = Pick<Hold, 'grantAmount' | 'topupAmount'> & HeldWallet;

/** At most the reserved amount, the grant first. */
function payFromHold(
  book: Book,
  { grantAmount, topupAmount, wallet, topup }: HeldAmounts,
  cost: bigint,
): Payment {
  const walletGrant = smaller(cost, grantAmount);
  const walletTopup = smaller(cost - walletGrant, topupAmount);
  wallet.heldGrant -= grantAmount;
  wallet.spentGrant += walletGrant;
  wallet.spentTopup += walletTopup;
  book.wallets.put(wallet);
  if (topupAmount > 0n) {
    topup.held -= topupAmount;
    topup.spent += walletTopup;
    book.topups.put(topup);
  }
  return { walletGrant, walletTopup };
}
