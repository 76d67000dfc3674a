import type { Operation, Reserve, Settle } from '../../books/operations.ts';
import { createPacker } from '../describe.ts';
import type { Description, PartTypes } from '../description.ts';
import { callEnd, callFacts } from '../tables.ts';

/**
 * An operation on its way to the store's thread. A copy of an object carries all its names, so the
 * two operations of every call travel as lists of values; the rare ones go as they are, and so do
 * settlements that few calls have: with a line for the audit log, which an operator makes, with
 * several attempts, or of another model than the call was admitted with.
 */
export type PackedOperation = readonly unknown[] | Operation;

/** A settlement as nearly all are. */
export type UsualSettle = Omit<Settle, 'answeredBy' | 'attempts' | 'line'>;

/** A reservation on its way. */
export const describeReserve: Description<Reserve, PartTypes> = (operation, as) => ({
  kind: as.oneOf(operation.kind, ['reserve']),
  facts: callFacts(operation.facts, as),
  amount: as.big(operation.amount),
  wallet: as.whatever(operation.wallet),
  scopes: as.whatever(operation.scopes),
  budgetsRevision: as.big(operation.budgetsRevision),
  isSpent: as.json(operation.isSpent),
  idempotency: as.json(operation.idempotency),
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
  result: as.json(operation.result),
  answerExpiresAt: as.int(operation.answerExpiresAt),
});

const outcomes = ['answered', 'unstored', 'failed', 'forgotten'] as const;

const reserves = createPacker(describeReserve);
const settles = createPacker(describeSettle);

/** Takes an operation apart. */
export function packOperation(operation: Operation): PackedOperation {
  switch (operation.kind) {
    case 'reserve':
      return reserves.pack(operation);
    case 'settle':
      return isRare(operation) ? operation : settles.pack(operation);
    default:
      return operation;
  }
}

/** Whether a settlement travels as it is. */
export function isRare({ answeredBy, attempts, line }: Settle): boolean {
  return (answeredBy ?? attempts ?? line) !== undefined;
}

/** Puts an operation together again. */
export function unpackOperation(packed: PackedOperation): Operation {
  if ('kind' in packed) return packed;
  return packed[0] === 'reserve' ? reserves.unpack(packed) : settles.unpack(packed);
}
