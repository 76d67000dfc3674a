import { isDeepStrictEqual } from 'node:util';
import type { Reserve } from '../../src/books/operations.ts';
import type { CallEnd, CallFacts, CallRecord, Hold } from '../../src/books/rows.ts';
import type { OpenHold } from './oracle-books.ts';

/** A promise of the caller that was broken: the operation alone fails, and changes nothing. */
export class BrokenPromise extends Error {}

/** Throws a {@link BrokenPromise} where the caller has not kept its own. */
export function promised(isFulfilled: boolean, what: string) {
  if (!isFulfilled) throw new BrokenPromise(what);
}

/**
 * Whether a reservation comes again as it was. What an extension has added cannot be told from the
 * first amount any more.
 */
export function isSameReservation(hold: OpenHold, operation: Reserve): boolean {
  const { instanceId, expiresAt, amount, facts } = operation;
  const isSameAmount = hold.extensions > 0 || hold.firstAmount === amount;
  const isSameInstance = hold.instanceId === instanceId && hold.expiresAt === expiresAt;
  return isSameAmount && isSameInstance && isSameCall(hold, facts);
}

/** Whether an operation names a call by what it is known by. */
export function isSameCall(known: CallFacts, facts: Partial<CallFacts>): boolean {
  return isDeepStrictEqual({ ...known, ...facts }, known);
}

/** Nobody has settled it, whatever an operator may have made of its cost. */
export function isLost(call: CallRecord): boolean {
  return call.code === 'LOST';
}

/** What a hold knows of its call. */
export function factsOf(hold: OpenHold): CallFacts {
  const { budgetAmount, firstAmount, grantAmount, topupAmount, extensions, ...rest } = hold;
  const { instanceId, expiresAt, scopes, ...facts } = rest;
  return facts;
}

/** Whether a call ended so; what an operator has put right stands, and cannot be compared. */
export function isSameSettlement(ended: CallRecord, facts: CallFacts, end: CallEnd): boolean {
  const { priceVersion } = ended;
  const isPutRight = ended.basis === 'corrected' || priceVersion !== facts.priceVersion;
  const isSameCost = ended.cost === end.cost && ended.estimated === end.estimated;
  const isSameEnd = ended.code === end.code && ended.endedAt === end.endedAt;
  const isSame = isSameCall(ended, { ...facts, priceVersion });
  return isSame && isSameEnd && (isPutRight || isSameCost);
}

/** What a wallet may pay for a call at most: what was taken from it at first. */
export function walletHeldOf({ month, grantAmount, topupAmount }: Hold): bigint | undefined {
  return month === undefined ? undefined : grantAmount + topupAmount;
}

/** The price of a model without one begins so, where it is held at the dearest. */
export function isHighestPrice(priceVersion: string): boolean {
  return priceVersion.startsWith('dearest-');
}

/** The record of a call that nobody settled: all that it held. */
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
