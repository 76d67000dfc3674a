import type { Operation } from '../../books/operations.ts';
import type { OperationResult } from '../port/port.ts';

/** The results of a batch on their way back: those that are not as usual, with their index. */
export type PackedResults = readonly (readonly [index: number, result: OperationResult])[];

const reserved: OperationResult = { ok: true, outcome: { kind: 'reserved' } };
const settled: OperationResult = {
  ok: true,
  outcome: { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined },
};

/** Leaves out every reservation that was made, and every settlement that left nothing to say. */
export function packResults(
  batch: readonly Operation[],
  results: readonly OperationResult[],
): PackedResults {
  const packed: [number, OperationResult][] = [];
  for (const [index, result] of results.entries()) {
    if (!isUsual(batch[index]?.kind, result)) packed.push([index, result]);
  }
  return packed;
}

/** The result of each operation of the batch. */
export function unpackResults(
  batch: readonly Operation[],
  packed: PackedResults,
): readonly OperationResult[] {
  const results = batch.map(({ kind }) => (kind === 'reserve' ? reserved : settled));
  for (const [index, result] of packed) results[index] = result;
  return results;
}

function isUsual(kind: Operation['kind'] | undefined, result: OperationResult): boolean {
  if (!result.ok) return false;
  const { outcome } = result;
  if (kind === 'reserve') return outcome.kind === 'reserved';
  if (outcome.kind !== 'settled' || outcome.isOrphan) return false;
  return outcome.badOutputs === 0 && outcome.takenOverBy === undefined;
}
