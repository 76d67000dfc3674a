import type { Query, SqlValue } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';
import { type CallFilter, filterConditions, type IdRange } from './call-search.ts';

/** `calls` of one app and model, of a slice of time or of a duration. */
export interface StatRow {
  readonly kind: 'slice' | 'took' | 'first';
  readonly app: string;
  /** The name in usage. */
  readonly model: string;
  /** The start of the slice, or milliseconds to two significant digits. */
  readonly value: number;
  readonly calls: number;
  /** 0 for durations; the cost also. */
  readonly errors: number;
  readonly cost: bigint;
}

const selectCalls = `
  with lasting as (
    select app, usage_model as model, started_at, code, cost, first_ms,
           case when ended_at < started_at then 0 else ended_at - started_at end as took_ms
      from call where call_id >= $1 and call_id < $2`;

const selectStats = withSums(
  withDigits(`), found as (
    select app, model, code, cost, started_at - started_at % $3 as slice,
           two_digits(took_ms) as took, two_digits(first_ms) as first_out
      from lasting)
  select 'slice' as kind, app, model, slice as value, count(*) as n,
         cast(sum(case when code = 'OK' then 0 else 1 end) as bigint) as errors,
         wide_sum(cost) as cost
    from found group by app, model, slice
  union all
  select 'took', app, model, took, count(*), 0, '0:0' from found group by app, model, took
  union all
  select 'first', app, model, first_out, count(*), 0, '0:0'
    from found where first_out is not null group by app, model, first_out`),
);

/** Replaces `two_digits(x)` by {@link roundedOf}, so the statement stays one text. */
function withDigits(sql: string): string {
  return sql.replaceAll(/two_digits\((\w+)\)/g, (_, ms: string) => roundedOf(ms));
}

/** To two significant digits, so a step has few rows, however many calls. */
function roundedOf(ms: string): string {
  const to = (unit: number) => `(${ms} + ${unit / 2}) / ${unit} * ${unit}`;
  const units = [10, 100, 1_000, 10_000, 100_000];
  const cases = units.map((unit) => `when ${ms} < ${99.5 * unit} then ${to(unit)}`);
  return `case when ${ms} < 100 then ${ms} ${cases.join(' ')} else ${to(1_000_000)} end`;
}

export function selectCallStats(
  { from, before }: IdRange,
  filter: CallFilter,
  widthMs: number,
): Query<readonly StatRow[]> {
  const values: SqlValue[] = [from, before, BigInt(widthMs)];
  return {
    sql: [selectCalls, ...filterConditions(filter, values), selectStats].join(' '),
    values,
    map: (rows) =>
      rows.map((row) => ({
        kind: kindOf(text(row, 'kind')),
        app: text(row, 'app'),
        model: text(row, 'model'),
        value: int(row, 'value'),
        calls: int(row, 'n'),
        errors: int(row, 'errors'),
        cost: wideSum(row, 'cost'),
      })),
  };
}

function kindOf(kind: string): StatRow['kind'] {
  return kind === 'slice' || kind === 'took' ? kind : 'first';
}
