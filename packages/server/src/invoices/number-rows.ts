import { randomInt } from 'node:crypto';

/** Unique rows, with indexes from 0. */
export interface NumberRows {
  count(): number;
  indexFor(row: readonly number[]): number;
  numberAt(index: number, column: number): number;
}

export function growing(rowBytes: number, rowsMax: number): ArrayBuffer {
  return new ArrayBuffer(1_024 * rowBytes, { maxByteLength: rowsMax * rowBytes });
}

export function grow(buffer: ArrayBuffer): void {
  buffer.resize(Math.min(2 * buffer.byteLength, buffer.maxByteLength));
}

/** Numbers are below 2^32. A map of texts would need many times the memory. */
export function createNumberRows(width: number, rowsMax: number): NumberRows {
  // A slot's rows are searched in sequence, so no file may choose the slots.
  const seed = randomInt(2 ** 31) | 1;
  let count = 0;
  const buffer = growing(width * 4, rowsMax);
  const numbers = new Uint32Array(buffer);
  /** Index plus 1; 0 is empty. At least half of the slots are empty. */
  let slots = new Uint32Array(2_048);
  return {
    count: () => count,
    indexFor,
    numberAt: (index, column) => numbers[index * width + column] ?? 0,
  };

  function indexFor(row: readonly number[]): number {
    const slot = slotOf(row);
    const slotValue = slots[slot] ?? 0;
    if (slotValue !== 0) return slotValue - 1;
    if (count * width === numbers.length) grow(buffer);
    numbers.set(row, count * width);
    count += 1;
    slots[slot] = count;
    if (count * 2 > slots.length) refill();
    return count - 1;
  }

  function slotOf(row: ArrayLike<number>): number {
    let hash = seed;
    for (let at = 0; at < width; at++) {
      hash = Math.imul(hash ^ (row[at] ?? 0), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let slot = hash & (slots.length - 1);
    for (;;) {
      const index = (slots[slot] ?? 0) - 1;
      if (index === -1 || isAt(index, row)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  function isAt(index: number, row: ArrayLike<number>): boolean {
    for (let at = 0; at < width; at++) {
      if (numbers[index * width + at] !== row[at]) return false;
    }
    return true;
  }

  function refill() {
    slots = new Uint32Array(2 * slots.length);
    for (let index = 0; index < count; index++) {
      slots[slotOf(numbers.subarray(index * width, (index + 1) * width))] = index + 1;
    }
  }
}
