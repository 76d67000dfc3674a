import assert from 'node:assert';
import { smaller } from '../lib/money.ts';
import type { Book } from './book.ts';
import { type HeldWallet, walletMostOf } from './held-wallet.ts';
import type { Outcome } from './operations.ts';
import { payFromWallet } from './pay-from-wallet.ts';
import type { CallRecord } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';
import type { Collect, Release, UnclaimedPayment } from './unclaimed-payment.ts';

/**
 * One request gets the result and pays out of the call's own month. Returns `gone` if another
 * request has it, or if it has expired.
 */
export function collect(book: Book, operation: Collect): Outcome {
  const { app, keyHash, callId, claimedBy, now } = operation;
  const payment = book.unclaimed.get(callId);
  // The same request repeats this after a commit with an unknown outcome.
  if (payment?.claimedBy === claimedBy) return { kind: 'collected', isPaid: true };
  const row = book.idempotency.get(app, keyHash);
  if (row?.callId !== callId || row.state !== 'unstored' || row.expiresAt <= now) {
    return { kind: 'gone' };
  }
  const call = book.calls.get(callId);
  assert(call !== undefined, `no record of call ${callId}, which has left a result`);
  assertSameFacts(call, operation);
  const wallet = payment && walletOf(book, payment);

  book.idempotency.remove(row);
  if (payment === undefined || wallet === undefined) return { kind: 'collected', isPaid: false };
  giveBack(book, payment, wallet);
  if (operation.isUnreadable === true) {
    book.unclaimed.end(callId);
    return { kind: 'collected', isPaid: false };
  }
  const paid = payFromWallet(book, call, dueOf(payment, call));
  book.calls.put({ ...call, ...paid });
  book.unclaimed.change({ ...payment, grantHeld: 0n, topupHeld: 0n, claimedBy });
  return { kind: 'collected', isPaid: true };
}

export function release(book: Book, operation: Release): Outcome {
  const { callId, now } = operation;
  const payment = book.unclaimed.get(callId);
  if (payment === undefined || payment.expiresAt > now) return { kind: 'ended-before' };
  const wallet = walletOf(book, payment);
  giveBack(book, payment, wallet);
  book.unclaimed.end(callId);
  return { kind: 'released' };
}

/** At most the first reservation, and at most the cost after an operator's correction. */
function dueOf({ cost }: UnclaimedPayment, call: CallRecord): bigint {
  const most = smaller(cost, walletMostOf(call));
  return call.basis === 'corrected' ? smaller(most, call.cost) : most;
}

function walletOf(book: Book, { app, userId, month, callId }: UnclaimedPayment): HeldWallet {
  const wallet = book.wallets.get(app, userId, month);
  const topup = book.topups.get(app, userId);
  assert(wallet !== undefined && topup !== undefined, `no wallet row for call ${callId}`);
  return { wallet, topup };
}

function giveBack(
  book: Book,
  { grantHeld, topupHeld }: UnclaimedPayment,
  { wallet, topup }: HeldWallet,
) {
  if (grantHeld + topupHeld === 0n) return;
  wallet.heldGrant -= grantHeld;
  topup.held -= topupHeld;
  book.wallets.put(wallet);
  book.topups.put(topup);
}
