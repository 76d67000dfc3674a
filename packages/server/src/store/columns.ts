import assert from 'node:assert';
import type { SqlRow } from './port.ts';

/** Reads a text column. */
export function text(row: SqlRow, column: string): string {
  const value = row[column];
  assert(typeof value === 'string', `column ${column} holds ${typeof value}, not text`);
  return value;
}

/** Reads a text column that may be null. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  return row[column] === null ? undefined : text(row, column);
}

/** Reads an integer column as it is: money. */
export function big(row: SqlRow, column: string): bigint {
  const value = row[column];
  assert(typeof value === 'bigint', `column ${column} holds ${typeof value}, not an integer`);
  return value;
}

/** Reads an integer column that may be null. */
export function optionalBig(row: SqlRow, column: string): bigint | undefined {
  return row[column] === null ? undefined : big(row, column);
}

/** Reads an integer column as a number: counts and moments. */
export function int(row: SqlRow, column: string): number {
  const value = Number(big(row, column));
  assert(Number.isSafeInteger(value), `column ${column} holds more than a number can`);
  return value;
}

/** Reads a column of 0 and 1. */
export function flag(row: SqlRow, column: string): boolean {
  return big(row, column) === 1n;
}
