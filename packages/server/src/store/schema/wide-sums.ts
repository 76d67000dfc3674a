import { picoUsdMax } from '../../lib/money.ts';
import type { SqlRow } from '../port/port.ts';
import { asText } from './columns.ts';

// An amount fits 64 bits, but a sum of amounts might not. SQLite then fails with "integer
// overflow", and PostgreSQL when the sum becomes a bigint. So both halves are added up separately.

const low = 4_294_967_295n;
const half = 32n;

/** A text for {@link wideSum}; 0 over no rows. */
export function sumOf(amount: string): string {
  return `cast(${highOf(amount)} as text) || ':' || cast(${lowOf(amount)} as text)`;
}

export function asSum(amount: string): string {
  return `'0:' || cast(${amount} as text)`;
}

export function wideSum(row: SqlRow, column: string): bigint {
  const [high = '', rest = ''] = asText(row[column], column).split(':');
  return (BigInt(high) << half) + BigInt(rest);
}

function sumAtMost(amount: string): string {
  const [high, rest] = [highOf(amount), lowOf(amount)];
  const isMore = `${high} + (${rest} >> ${half}) > ${picoUsdMax >> half}`;
  return `case when ${isMore} then ${picoUsdMax} else (${high} << ${half}) + ${rest} end`;
}

/**
 * Replaces `wide_sum(x)` by {@link sumOf} and `capped_sum(x)` by {@link sumAtMost}, so the
 * statement stays one text.
 */
export function withSums(sql: string): string {
  return sql
    .replaceAll(/wide_sum\(([^()]*)\)/g, (_, amount: string) => sumOf(amount))
    .replaceAll(/capped_sum\(([^()]*)\)/g, (_, amount: string) => sumAtMost(amount));
}

export function isSumNotZero(amount: string): string {
  const carried = `(${highOf(amount)} + (${lowOf(amount)} >> ${half}))`;
  return `(${carried} <> 0 or (${lowOf(amount)} & ${low}) <> 0)`;
}

// A computed value may be narrower than a column, and PostgreSQL shifts it by fewer bits.
function highOf(amount: string): string {
  return `cast(coalesce(sum(cast(${amount} as bigint) >> ${half}), 0) as bigint)`;
}

function lowOf(amount: string): string {
  return `cast(coalesce(sum(cast(${amount} as bigint) & ${low}), 0) as bigint)`;
}
