import type { Operation } from '../../books/operations.ts';
import { createRecordForm, type Sheet } from '../schema/describe-record.ts';
import { describeReserve, describeSettle, isRare, isTakeover } from './pack-operation.ts';

const reserves = createRecordForm(describeReserve);
const settles = createRecordForm(describeSettle);

/** In front of each record: what it is of. */
const ofReserve = 0;
const ofSettle = 1;

/**
 * Writes a batch as records. False where the sheet has too few places, or where the batch has an
 * operation that has no record; what was written means nothing then.
 */
export function writeOperations(batch: readonly Operation[], sheet: Sheet): boolean {
  return batch.every((operation) => writeOperation(operation, sheet));
}

function writeOperation(operation: Operation, sheet: Sheet): boolean {
  if (operation.kind === 'reserve') {
    if (isTakeover(operation)) return false;
    sheet.numbers[sheet.at++] = ofReserve;
    return reserves.write(operation, sheet);
  }
  if (operation.kind !== 'settle' || isRare(operation)) return false;
  sheet.numbers[sheet.at++] = ofSettle;
  return settles.write(operation, sheet);
}

/** Reads so many operations. */
export function readOperations(count: number, sheet: Sheet): readonly Operation[] {
  const batch: Operation[] = [];
  while (batch.length < count) {
    const form = sheet.numbers[sheet.at++] === ofReserve ? reserves : settles;
    batch.push(form.read(sheet));
  }
  return batch;
}
