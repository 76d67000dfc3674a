import { picoUsdMax } from '../lib/money.ts';
import { asText } from './columns.ts';
import type { SqlRow } from './port.ts';

// An amount fits 64 bits, and a sum of amounts need not: SQLite fails with "integer overflow", and
// PostgreSQL when the sum is made a bigint. So both halves are added up on their own.

const low = 4_294_967_295n;
const half = 32n;

/** A sum over rows, 0 over none, as a text that {@link wideSum} reads. */
export function sumOf(amount: string): string {
  return `cast(${highOf(amount)} as text) || ':' || cast(${lowOf(amount)} as text)`;
}

/** One amount in the same form. */
export function asSum(amount: string): string {
  return `'0:' || cast(${amount} as text)`;
}

/** Reads the column of such a sum. */
export function wideSum(row: SqlRow, column: string): bigint {
  const [high = '', rest = ''] = asText(row[column], column).split(':');
  return (BigInt(high) << half) + BigInt(rest);
}

/** A sum over rows as a column holds it: at most the largest amount there is. */
function sumAtMost(amount: string): string {
  const [high, rest] = [highOf(amount), lowOf(amount)];
  const isMore = `${high} + (${rest} >> ${half}) > ${picoUsdMax >> half}`;
  return `case when ${isMore} then ${picoUsdMax} else (${high} << ${half}) + ${rest} end`;
}

/**
 * A statement in which `wide_sum(x)` is {@link sumOf} and `capped_sum(x)` is {@link sumAtMost}, so
 * that the statement is one text.
 */
export function withSums(sql: string): string {
  return sql
    .replaceAll(/wide_sum\(([^()]*)\)/g, (_, amount: string) => sumOf(amount))
    .replaceAll(/capped_sum\(([^()]*)\)/g, (_, amount: string) => sumAtMost(amount));
}

/** Whether a sum over rows is not 0. */
export function isSumNotZero(amount: string): string {
  const carried = `(${highOf(amount)} + (${lowOf(amount)} >> ${half}))`;
  return `(${carried} <> 0 or (${lowOf(amount)} & ${low}) <> 0)`;
}

// What is no column may be narrower, and PostgreSQL shifts that by fewer bits.
function highOf(amount: string): string {
  return `cast(coalesce(sum(cast(${amount} as bigint) >> ${half}), 0) as bigint)`;
}

function lowOf(amount: string): string {
  return `cast(coalesce(sum(cast(${amount} as bigint) & ${low}), 0) as bigint)`;
}
