import assert from 'node:assert';
import type { SqlRow } from './port.ts';

/** Reads a text column. */
export function text(row: SqlRow, column: string): string {
  return asText(row[column], column);
}

/** Reads a text column that may be null. */
export function optionalText(row: SqlRow, column: string): string | undefined {
  return asOptionalText(row[column], column);
}

/** Reads an integer column as it is: money. */
export function big(row: SqlRow, column: string): bigint {
  return asBig(row[column], column);
}

/** Reads an integer column that may be null. */
export function optionalBig(row: SqlRow, column: string): bigint | undefined {
  return row[column] === null ? undefined : big(row, column);
}

/** Reads an integer column as a number: counts and moments. */
export function int(row: SqlRow, column: string): number {
  return asInt(row[column], column);
}

/** Reads a column of 0 and 1. */
export function flag(row: SqlRow, column: string): boolean {
  return big(row, column) === 1n;
}

/** The value of a text column. */
export function asText(value: unknown, column: string): string {
  assert(typeof value === 'string', `column ${column} holds ${typeof value}, not text`);
  return value;
}

/** The value of a text column that may be null. */
export function asOptionalText(value: unknown, column: string): string | undefined {
  return value === null ? undefined : asText(value, column);
}

/** The value of an integer column as it is: money. */
export function asBig(value: unknown, column: string): bigint {
  assert(typeof value === 'bigint', `column ${column} holds ${typeof value}, not an integer`);
  return value;
}

/** The value of an integer column as a number: a count or a moment. */
export function asInt(value: unknown, column: string): number {
  const number = Number(asBig(value, column));
  assert(Number.isSafeInteger(number), `column ${column} holds more than a number can`);
  return number;
}
