import type { Operation } from '../../books/operations.ts';
import { rewind, type Sheet } from '../schema/describe-record.ts';
import type { Bell } from './bell.ts';
import { readOperations, writeOperations } from './operation-records.ts';

/**
 * How the asks of one thread reach the store's: all of them have a number, and the store's thread
 * answers them in that order. One batch at a time lies in memory that both share, which costs less
 * than a message; whatever does not lie there comes as a message. Each side makes its own of one
 * memory.
 */
export interface Tray {
  readonly memory: SharedArrayBuffer;
  /**
   * Lays a batch for the ask of this number. False where the last one has not been taken yet, or
   * where the batch does not fit: then it is to be sent as a message.
   */
  lay(number: number, batch: readonly Operation[]): boolean;
  /** Counts one ask more, which is laid or was sent as a message before, and wakes the thread. */
  asked(): void;
  /** Whether the ask of this number is there. */
  has(number: number): boolean;
  /** Takes the batch that was laid for the ask of this number; undefined if none was. */
  take(number: number): readonly Operation[] | undefined;
}

/** In its head: how many were asked, whether a batch lies there, for which ask, and its size. */
const [askedAt, isFullAt, numberAt, countAt, bytesAt] = [0, 1, 2, 3, 4];
const headBytes = 64;
/** For some 700 operations without further caps; the ledger's queue hands over 256 at most. */
const placesMax = 32_768;
const placeBytes = 8;
/** With idempotency keys an operation has some 1,500 characters; memory is used as it is needed. */
const textBytes = 2 * 2 ** 20;
/** Of UTF-8 for a unit of UTF-16, at most. */
const bytesOfUnitMax = 3;

/** An empty tray, or one side of the tray that has this memory; each thread that asks has one. */
export function createTray(
  bell: Pick<Bell, 'ring'>,
  memory = new SharedArrayBuffer(headBytes + placesMax * placeBytes + textBytes),
): Tray {
  const head = new Int32Array(memory, 0, headBytes / Int32Array.BYTES_PER_ELEMENT);
  const sheet: Sheet = {
    numbers: new Float64Array(memory, headBytes, placesMax),
    bigs: new BigInt64Array(memory, headBytes, placesMax),
    ...{ text: '', at: 0, textAt: 0, list: undefined },
  };
  const bytes = Buffer.from(memory, headBytes + placesMax * placeBytes, textBytes);
  const load = (at: number) => Atomics.load(head, at);
  return {
    memory,
    lay(number, batch) {
      if (load(isFullAt) === 1) return false;
      rewind(sheet);
      if (!writeOperations(batch, sheet)) return false;
      const texts = sheet.text;
      if (texts.length * bytesOfUnitMax > textBytes) return false;
      const written = bytes.write(texts);
      // Half of a surrogate pair has no bytes of its own.
      if (written !== texts.length && !texts.isWellFormed()) return false;
      Atomics.store(head, countAt, batch.length);
      Atomics.store(head, bytesAt, written === texts.length ? written : -written);
      Atomics.store(head, numberAt, number);
      Atomics.store(head, isFullAt, 1);
      return true;
    },
    asked() {
      Atomics.add(head, askedAt, 1);
      bell.ring();
    },
    has: (number) => load(askedAt) !== (number | 0),
    take(number) {
      if (load(isFullAt) === 0 || load(numberAt) !== (number | 0)) return undefined;
      const size = load(bytesAt);
      rewind(sheet, bytes.toString(size < 0 ? 'utf8' : 'latin1', 0, Math.abs(size)));
      const batch = readOperations(load(countAt), sheet);
      Atomics.store(head, isFullAt, 0);
      return batch;
    },
  };
}
