import assert from 'node:assert';
import type { SqlRow } from '../port/port.ts';

export function text(row: SqlRow, column: string): string {
  return asText(row[column], column);
}

export function optionalText(row: SqlRow, column: string): string | undefined {
  return asOptionalText(row[column], column);
}

export function big(row: SqlRow, column: string): bigint {
  return asBig(row[column], column);
}

export function int(row: SqlRow, column: string): number {
  return asInt(row[column], column);
}

// Every value of every row passes here, so messages are built only on an error.

export function asText(value: unknown, column: string): string {
  if (typeof value === 'string') return value;
  assert.fail(`column ${column} contains ${typeof value}, not text`);
}

export function asOptionalText(value: unknown, column: string): string | undefined {
  return value === null ? undefined : asText(value, column);
}

export function asBig(value: unknown, column: string): bigint {
  if (typeof value === 'bigint') return value;
  assert.fail(`column ${column} contains ${typeof value}, not an integer`);
}

export function asOptionalBig(value: unknown, column: string): bigint | undefined {
  return value === null ? undefined : asBig(value, column);
}

export function asInt(value: unknown, column: string): number {
  const number = Number(asBig(value, column));
  if (Number.isSafeInteger(number)) return number;
  assert.fail(`column ${column} contains an integer that is too large for a number`);
}

export function asOptionalInt(value: unknown, column: string): number | undefined {
  return value === null ? undefined : asInt(value, column);
}

export function asFlag(value: unknown, column: string): boolean {
  return asBig(value, column) === 1n;
}

export function asOptionalFlag(value: unknown, column: string): boolean | undefined {
  return value === null ? undefined : asFlag(value, column);
}

export function asOneOf<Value extends string>(
  value: unknown,
  known: readonly Value[],
  column: string,
): Value {
  for (const one of known) if (one === value) return one;
  assert.fail(`column ${column} contains the unknown value ${String(value)}`);
}
