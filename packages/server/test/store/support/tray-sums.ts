import { crc32 } from 'node:zlib';
import type { Operation } from '../../../src/books/operations.ts';
import { type PackedOperation, packOperation } from '../../../src/store/sqlite/pack-operation.ts';

/** A batch that is sent, since it was not laid. */
export interface Sent {
  readonly number: number;
  readonly batch: readonly PackedOperation[];
}

/** What a thread answers of a batch that it got. */
export interface Got {
  readonly number: number;
  readonly isLaid: boolean;
  readonly sum: number;
}

/** A checksum of all values of an operation, whatever the order of their names is. */
export function sumOfOperation(operation: Operation): number {
  const packed = packOperation(operation);
  return crc32('kind' in packed ? textOf(packed) : packed.map(textOf).join('\n'));
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value, written) : `${value}`;
}

/** A checksum of a batch, of those of its operations in their order. */
export function sumOfBatch(sums: readonly number[]): number {
  return sums.reduce((sum, one) => (Math.imul(sum, 31) + one) | 0, sums.length);
}

function written(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value} pico-USD`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
