import { randomInt } from 'node:crypto';

/** Unique rows, at places from 0. */
export interface NumberRows {
  count(): number;
  placeOf(row: readonly number[]): number;
  numberAt(place: number, column: number): number;
}

export function growing(rowBytes: number, rowsMax: number): ArrayBuffer {
  return new ArrayBuffer(1_024 * rowBytes, { maxByteLength: rowsMax * rowBytes });
}

export function grow(buffer: ArrayBuffer): void {
  buffer.resize(Math.min(2 * buffer.byteLength, buffer.maxByteLength));
}

/** Numbers are below 2^32. A map of texts would need many times the memory. */
export function createNumberRows(width: number, rowsMax: number): NumberRows {
  // Rows that share a slot are searched one after the other: no file may choose them.
  const seed = randomInt(2 ** 31) | 1;
  let count = 0;
  const buffer = growing(width * 4, rowsMax);
  const numbers = new Uint32Array(buffer);
  /** Place plus 1; 0 is empty, and half of the slots are. */
  let slots = new Uint32Array(2_048);
  return {
    count: () => count,
    placeOf,
    numberAt: (place, column) => numbers[place * width + column] ?? 0,
  };

  function placeOf(row: readonly number[]): number {
    const slot = slotOf(row);
    const found = slots[slot] ?? 0;
    if (found !== 0) return found - 1;
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
      const place = (slots[slot] ?? 0) - 1;
      if (place === -1 || isAt(place, row)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
  }

  function isAt(place: number, row: ArrayLike<number>): boolean {
    for (let at = 0; at < width; at++) {
      if (numbers[place * width + at] !== row[at]) return false;
    }
    return true;
  }

  function refill() {
    slots = new Uint32Array(2 * slots.length);
    for (let place = 0; place < count; place++) {
      slots[slotOf(numbers.subarray(place * width, (place + 1) * width))] = place + 1;
    }
  }
}
