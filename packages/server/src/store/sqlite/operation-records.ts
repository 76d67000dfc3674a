import type { Operation } from '../../books/operations.ts';
import { createRecordForm, type Places } from '../describe-record.ts';
import { describeReserve, describeSettle, isRare } from './pack-operation.ts';

const reserves = createRecordForm(describeReserve);
const settles = createRecordForm(describeSettle);

/** In front of each record: what it is of. */
const ofReserve = 0;
const ofSettle = 1;

/**
 * Writes a batch as records, and answers all their texts, one behind the other. Undefined where the
 * places are too few, or where the batch has an operation that has no record.
 */
export function writeOperations(batch: readonly Operation[], places: Places): string | undefined {
  const { numbers } = places;
  let at = 0;
  let all = '';
  for (const operation of batch) {
    if (at + widest >= numbers.length) return undefined;
    let texts: string | undefined;
    if (operation.kind === 'reserve') {
      numbers[at] = ofReserve;
      texts = reserves.write(operation, places, at + 1);
      at += 1 + reserves.width;
    } else if (operation.kind === 'settle' && !isRare(operation)) {
      numbers[at] = ofSettle;
      texts = settles.write(operation, places, at + 1);
      at += 1 + settles.width;
    }
    if (texts === undefined) return undefined;
    all += texts;
  }
  return all;
}

const widest = 1 + Math.max(reserves.width, settles.width);

/** Reads so many operations, of which these are all texts. */
export function readOperations(count: number, places: Places, all: string): readonly Operation[] {
  const texts = { all, at: 0 };
  const batch: Operation[] = [];
  let at = 0;
  while (batch.length < count) {
    const form = places.numbers[at] === ofReserve ? reserves : settles;
    batch.push(form.read(places, at + 1, texts));
    at += 1 + form.width;
  }
  return batch;
}
