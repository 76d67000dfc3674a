import type { Outcome, Settle, TopUp } from '../../src/books/operations.ts';
import type { Collect, Release } from '../../src/books/unclaimed-payment.ts';
import { least, most, type OracleBooks, payFromWallet, remainingTopup } from './oracle-books.ts';
import { keyOf } from './oracle-keys.ts';
import { isSameCall, promised } from './oracle-promises.ts';

/** The books after an operation, and its outcome. */
export interface Step {
  readonly books: OracleBooks;
  readonly outcome: Outcome;
}

/** Nothing for a call whose key was taken over, or is forgotten; once for each key. */
export function walletCostOf(
  books: OracleBooks,
  { facts, walletCost }: Settle,
  bound: bigint,
): bigint {
  const cost = least(walletCost, bound);
  if (facts.keyHash === undefined) return cost;
  const key = keyOf(books, facts.app, facts.keyHash);
  if (key?.callId !== facts.callId) return 0n;
  return key.walletPaid > cost ? 0n : cost - key.walletPaid;
}

/** A retry without a key collects a response, and pays for it if it is unpaid. */
export function collect(
  books: OracleBooks,
  { kind: _, claimedBy, isUnreadable, now, ...facts }: Collect,
): Step {
  const { app, keyHash, callId } = facts;
  const payment = books.unclaimed.find((row) => row.callId === callId);
  if (payment?.claimedBy === claimedBy) return { books, outcome: paid };
  const key = keyOf(books, app, keyHash);
  const isThere = key?.callId === callId && key.state === 'unstored' && key.expiresAt > now;
  const call = books.calls.find((row) => row.callId === callId);
  if (!isThere || call === undefined) return { books, outcome: { kind: 'gone' } };
  promised(isSameCall(call, facts), 'the same call');
  const others = books.unclaimed.filter((row) => row !== payment);
  const keys = books.keys.filter((row) => row !== key);
  const freed = { ...books, unclaimed: others, keys };
  if (payment === undefined || isUnreadable) {
    return { books: freed, outcome: { kind: 'collected', isPaid: false } };
  }
  const first = least(payment.cost, call.walletHeld ?? 0n);
  const due = call.basis === 'corrected' ? least(first, call.cost) : first;
  const after = { ...call, ...payFromWallet(freed, call, due) };
  const calls = books.calls.map((row) => (row === call ? after : row));
  const done = { ...payment, grantHeld: 0n, topupHeld: 0n, claimedBy };
  return { books: { ...freed, calls, unclaimed: [...others, done] }, outcome: paid };
}

const paid = { kind: 'collected', isPaid: true } as const;

/** No retry has arrived in time. */
export function release(books: OracleBooks, { callId, now }: Release): Step {
  const payment = books.unclaimed.find((row) => row.callId === callId);
  if (payment === undefined || payment.expiresAt > now) {
    return { books, outcome: { kind: 'ended-before' } };
  }
  const unclaimed = books.unclaimed.filter((row) => row !== payment);
  return { books: { ...books, unclaimed }, outcome: { kind: 'released' } };
}

/** Adds to a wallet, or removes unspent money. */
export function topUp(books: OracleBooks, { app, userId, amount, reference, now }: TopUp): Step {
  const earlier = books.entries.filter((row) => row.app === app && row.userId === userId);
  const before = earlier.find((row) => row.reference === reference);
  promised(before === undefined || before.amount === amount, 'the same top-up again');
  if (before !== undefined) return { books, outcome: { kind: 'topped-up' } };
  const available = remainingTopup(books, app, userId);
  if (available + amount < 0n) return { books, outcome: { kind: 'not-enough', available } };
  const remaining = earlier.reduce((rest, row) => rest - row.amount, most);
  if (amount > remaining) return { books, outcome: { kind: 'too-much', remaining } };
  const entries = [...books.entries, { app, userId, reference, amount, at: now }];
  return { books: { ...books, entries }, outcome: { kind: 'topped-up' } };
}
