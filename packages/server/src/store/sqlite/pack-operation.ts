import type { Operation, Reserve, Settle } from '../../books/operations.ts';
import { createPacker } from '../schema/describe.ts';
import type { Description, PartTypes } from '../schema/description.ts';
import { callEnd, callFacts } from '../schema/tables.ts';

/**
 * Copied objects carry all their names, so the two operations of every call travel as lists. Rare
 * ones stay objects: takeovers, and settlements with an audit line, several attempts or another
 * model.
 */
export type PackedOperation = readonly unknown[] | Operation;

type UsualSettle = Omit<Settle, 'answeredBy' | 'attempts' | 'line' | 'isUnclaimed'>;

/** A reservation on its way, but one that takes a key over. */
const describeReserve: Description<Omit<Reserve, 'ends'>, PartTypes> = (operation, as) => ({
  kind: as.value(operation.kind),
  facts: callFacts(operation.facts, as),
  amount: as.big(operation.amount),
  wallet: as.value(operation.wallet),
  scopes: as.value(operation.scopes),
  budgetsRevision: as.big(operation.budgetsRevision),
  isSpent: as.value(operation.isSpent),
  idempotency: as.value(operation.idempotency),
  instanceId: as.text(operation.instanceId),
  expiresAt: as.int(operation.expiresAt),
  now: as.int(operation.now),
});

const describeSettle: Description<UsualSettle, PartTypes> = (operation, as) => ({
  kind: as.value(operation.kind),
  facts: callFacts(operation.facts, as),
  end: callEnd(operation.end, as),
  walletCost: as.big(operation.walletCost),
  outcome: as.value(operation.outcome),
  result: as.value(operation.result),
  answerExpiresAt: as.int(operation.answerExpiresAt),
});

const reserves = createPacker(describeReserve);
const settles = createPacker(describeSettle);

export function packOperation(operation: Operation): PackedOperation {
  if (operation.kind === 'reserve') {
    return operation.ends === undefined ? reserves.pack(operation) : operation;
  }
  if (operation.kind !== 'settle') return operation;
  const { answeredBy, attempts, line, isUnclaimed } = operation;
  const isRare = (answeredBy ?? attempts ?? line ?? isUnclaimed) !== undefined;
  return isRare ? operation : settles.pack(operation);
}

export function unpackOperation(packed: PackedOperation): Operation {
  if ('kind' in packed) return packed;
  return packed[0] === 'reserve' ? reserves.unpack(packed) : settles.unpack(packed);
}
