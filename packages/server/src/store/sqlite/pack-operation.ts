import type { IdempotencyClaim, ScopeClaim, WalletClaim } from '../../books/claims.ts';
import type { Operation, Reserve, Settle } from '../../books/operations.ts';
import type { StoredResult } from '../../books/rows.ts';
import { scopeModes } from '../../books/scope.ts';
import { createPacker } from '../schema/describe.ts';
import type { Description, PartTypes } from '../schema/description.ts';
import { callEnd, callFacts } from '../schema/tables.ts';

/**
 * An operation on its way to the store's thread. A copy of an object carries all its names, so the
 * two operations of every call travel as lists of values. The rare ones go as they are, and so do
 * reservations that take a key over, and settlements that few calls have: with a line for the audit
 * log, which an operator makes, with several attempts, or of another model than the call was
 * admitted with.
 */
export type PackedOperation = readonly unknown[] | Operation;

/** A settlement as nearly all are. */
export type UsualSettle = Omit<Settle, 'answeredBy' | 'attempts' | 'line' | 'isUnclaimed'>;

const wallet: Description<WalletClaim, PartTypes> = (claim, as) => ({
  granted: as.big(claim.granted),
  picoUsdPerCredit: as.big(claim.picoUsdPerCredit),
  closedAt: as.optionalInt(claim.closedAt),
});

const scope: Description<ScopeClaim, PartTypes> = (claim, as) => ({
  scope: as.text(claim.scope),
  period: as.text(claim.period),
  cap: as.big(claim.cap),
  mode: as.oneOf(claim.mode, scopeModes),
  closedAt: as.optionalInt(claim.closedAt),
});

const idempotency: Description<IdempotencyClaim, PartTypes> = (claim, as) => ({
  keyHash: as.text(claim.keyHash),
  fingerprint: as.text(claim.fingerprint),
  expiresAt: as.int(claim.expiresAt),
  adoption: as.json(claim.adoption),
});

const storedResult: Description<StoredResult, PartTypes> = (result, as) => ({
  dialect: as.text(result.dialect),
  encoderVersion: as.int(result.encoderVersion),
  body: as.text(result.body),
});

/** A reservation on its way, but one that takes a key over. */
export const describeReserve: Description<Omit<Reserve, 'ends'>, PartTypes> = (operation, as) => ({
  kind: as.oneOf(operation.kind, ['reserve']),
  facts: callFacts(operation.facts, as),
  amount: as.big(operation.amount),
  wallet: as.optional(operation.wallet, wallet),
  scopes: as.list(operation.scopes, scope),
  budgetsRevision: as.big(operation.budgetsRevision),
  isSpent: as.json(operation.isSpent),
  idempotency: as.optional(operation.idempotency, idempotency),
  instanceId: as.text(operation.instanceId),
  expiresAt: as.int(operation.expiresAt),
  now: as.int(operation.now),
});

/** A usual settlement on its way. */
export const describeSettle: Description<UsualSettle, PartTypes> = (operation, as) => ({
  kind: as.oneOf(operation.kind, ['settle']),
  facts: callFacts(operation.facts, as),
  end: callEnd(operation.end, as),
  walletCost: as.big(operation.walletCost),
  outcome: as.oneOf(operation.outcome, outcomes),
  result: as.optional(operation.result, storedResult),
  answerExpiresAt: as.int(operation.answerExpiresAt),
});

const outcomes = ['answered', 'unstored', 'failed', 'forgotten'] as const;

const reserves = createPacker(describeReserve);
const settles = createPacker(describeSettle);

/** Takes an operation apart. */
export function packOperation(operation: Operation): PackedOperation {
  switch (operation.kind) {
    case 'reserve':
      return isTakeover(operation) ? operation : reserves.pack(operation);
    case 'settle':
      return isRare(operation) ? operation : settles.pack(operation);
    default:
      return operation;
  }
}

/** Whether a reservation travels as it is: it ends a dead call. */
export function isTakeover({ ends }: Reserve): boolean {
  return ends !== undefined;
}

/** Whether a settlement travels as it is. */
export function isRare({ answeredBy, attempts, line, isUnclaimed }: Settle): boolean {
  return (answeredBy ?? attempts ?? line ?? isUnclaimed) !== undefined;
}

/** Puts an operation together again. */
export function unpackOperation(packed: PackedOperation): Operation {
  if ('kind' in packed) return packed;
  return packed[0] === 'reserve' ? reserves.unpack(packed) : settles.unpack(packed);
}
