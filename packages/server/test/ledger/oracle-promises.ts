import { isDeepStrictEqual } from 'node:util';
import type { Reserve } from '../../src/books/operations.ts';
import type { CallEnd, CallFacts, CallRecord, Hold } from '../../src/books/rows.ts';
import type { OpenHold } from './oracle-books.ts';

/** A broken promise of the caller: only this operation fails, and changes nothing. */
export class BrokenPromise extends Error {}

/** Throws a {@link BrokenPromise} if the caller broke its promise. */
export function promised(isFulfilled: boolean, what: string) {
  if (!isFulfilled) throw new BrokenPromise(what);
}

/** Whether a reservation equals an earlier one. After an extension, the first amount is unknown. */
export function isSameReservation(hold: OpenHold, operation: Reserve): boolean {
  const { instanceId, expiresAt, amount, facts } = operation;
  const isSameAmount = hold.extensions > 0 || hold.firstAmount === amount;
  const isSameInstance = hold.instanceId === instanceId && hold.expiresAt === expiresAt;
  return isSameAmount && isSameInstance && isSameCall(hold, facts);
}

/** Whether an operation names a call by its known facts. */
export function isSameCall(known: CallFacts, facts: Partial<CallFacts>): boolean {
  return isDeepStrictEqual({ ...known, ...facts }, known);
}

/** Nobody has settled it, even if an operator has changed its cost. */
export function isLost(call: CallRecord): boolean {
  return call.code === 'LOST';
}

/** The facts of a reservation's call. */
export function factsOf(hold: OpenHold): CallFacts {
  const { budgetAmount, firstAmount, grantAmount, topupAmount, extensions, ...rest } = hold;
  const { instanceId, expiresAt, scopes, ...facts } = rest;
  return facts;
}

/** Whether a call ended in this way. An operator's correction remains, and cannot be compared. */
export function isSameSettlement(ended: CallRecord, facts: CallFacts, end: CallEnd): boolean {
  const { priceVersion } = ended;
  const isPutRight = ended.basis === 'corrected' || priceVersion !== facts.priceVersion;
  const isSameCost = ended.cost === end.cost && ended.estimated === end.estimated;
  const isSameEnd = ended.code === end.code && ended.endedAt === end.endedAt;
  const isSame = isSameCall(ended, { ...facts, priceVersion });
  return isSame && isSameEnd && (isPutRight || isSameCost);
}

/** The maximum payment of a wallet for a call: its first reservation. */
export function walletHeldOf({ month, grantAmount, topupAmount }: Hold): bigint | undefined {
  return month === undefined ? undefined : grantAmount + topupAmount;
}

/** The price of a model without one has this prefix if it is reserved at the highest price. */
export function isHighestPrice(priceVersion: string): boolean {
  return priceVersion.startsWith('dearest-');
}

/** The record of a call that nobody settled: its whole reservation. */
export function lostCall(hold: OpenHold, now: number): CallRecord {
  const { budgetAmount } = hold;
  return {
    ...factsOf(hold),
    ...{ code: 'LOST', basis: 'expired', attempts: '[]', upstreamId: undefined, endedAt: now },
    firstMs: undefined,
    tokens: {
      ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
      ...{ outputTokens: 0, reasoningTokens: 0, cacheWrite1hInputTokens: undefined },
    },
    ...{ cost: budgetAmount, estimated: budgetAmount, estimateReason: 'lost' },
    held: budgetAmount,
    ...{ walletGrant: 0n, walletTopup: 0n, scopes: hold.scopes },
    ...{ heldAtEnd: budgetAmount, walletHeld: walletHeldOf(hold), instanceId: hold.instanceId },
  };
}
