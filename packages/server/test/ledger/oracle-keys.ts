import type { Outcome, Reserve } from '../../src/books/operations.ts';
import type { CallFacts, CallRecord, IdempotencyRow } from '../../src/books/rows.ts';
import { isAlive, type OracleBooks } from './oracle-books.ts';

// Rows of idempotency keys.

export function keyOf(
  books: OracleBooks,
  app: string,
  keyHash: string | undefined,
): IdempotencyRow | undefined {
  return books.keys.find((row) => row.app === app && row.keyHash === keyHash);
}

/** The books with another row of a key. */
export function withKey(books: OracleBooks, key: IdempotencyRow): OracleBooks {
  const others = books.keys.filter((row) => row.app !== key.app || row.keyHash !== key.keyHash);
  return { ...books, keys: [...others, key] };
}

/** The record of a claimed key that is still valid. The record of a running call stays valid. */
export function recordOf(books: OracleBooks, operation: Reserve): IdempotencyRow | undefined {
  const row = keyOf(books, operation.facts.app, operation.idempotency?.keyHash);
  if (row === undefined) return undefined;
  return row.state === 'running' || row.expiresAt > operation.now ? row : undefined;
}

/** The result that the earlier use of a key requires; undefined if the call may run. */
export function claim(
  books: OracleBooks,
  operation: Reserve,
  goesByTime: boolean,
): Outcome | undefined {
  if (operation.idempotency === undefined) return undefined;
  const record = recordOf(books, operation);
  if (record === undefined) return undefined;
  const { state, callId, fingerprint } = record;
  if (fingerprint !== operation.idempotency.fingerprint) return { kind: 'mismatch' };
  if (state === 'answered') return { kind: 'replay', callId };
  if (state === 'unstored') return { kind: 'unstored', callId };
  if (state === 'failed') return undefined;
  const request = { asking: operation, goesByTime };
  if (isAlive(books, record.instanceId, request)) return { kind: 'attach', callId };
  return operation.ends?.callId === callId ? undefined : { kind: 'dead', callId };
}

/** Names the call that had the key, since its cost might fill the budget. */
export function withEarlier(books: OracleBooks, operation: Reserve, refused: Outcome): Outcome {
  const record = recordOf(books, operation);
  const isBudget = refused.kind === 'refused' && refused.code === 'BUDGET_EXCEEDED';
  return isBudget && record ? { ...refused, earlierCall: record.callId } : refused;
}

/** The wallet's payment for a call. */
export function paidFor({ walletGrant, walletTopup }: CallRecord): bigint {
  return walletGrant + walletTopup;
}

/** The books after another wallet payment under a call's key. */
export function paidUnder(books: OracleBooks, call: CallFacts, amount: bigint): OracleBooks {
  const key = keyOf(books, call.app, call.keyHash);
  if (key === undefined || amount === 0n) return books;
  return withKey(books, { ...key, walletPaid: key.walletPaid + amount });
}

/** Whether the payment under a call's key includes that for the call itself. */
export function isPaidUnder(books: OracleBooks, call: CallRecord): boolean {
  const key = keyOf(books, call.app, call.keyHash);
  return key !== undefined && key.walletPaid >= paidFor(call);
}

/**
 * The payment of a corrected call. With other calls under its key it pays the rest of its cost. A
 * payment that reduced a later call's remains.
 */
export function dueAfter(books: OracleBooks, call: CallRecord, cost: bigint): bigint {
  const key = keyOf(books, call.app, call.keyHash);
  if (key === undefined || !isPaidUnder(books, call)) return cost;
  const own = paidFor(call);
  const others = key.walletPaid - own;
  const missing = cost > others ? cost - others : 0n;
  const isSparing = others > 0n && key.callId !== call.callId;
  return isSparing && own > missing ? own : missing;
}
