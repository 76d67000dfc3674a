import type { Query, SqlValue } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

// One statement a table, however many apps there are.

export interface DayTotals {
  readonly app: string;
  readonly calls: number;
  readonly errors: number;
  readonly cost: bigint;
  readonly estimated: bigint;
}

/** Apps without a call are missing. */
export function selectDayTotals(day: string): Query<readonly DayTotals[]> {
  return {
    sql: withSums(`
      select app, cast(sum(calls) as bigint) as calls, cast(sum(errors) as bigint) as errors,
             wide_sum(cost) as cost, wide_sum(estimated) as estimated
        from usage_day
       where day = $1
       group by app`),
    values: [day],
    map: (rows) =>
      rows.map((row) => ({
        ...{ app: text(row, 'app'), calls: int(row, 'calls'), errors: int(row, 'errors') },
        ...{ cost: wideSum(row, 'cost'), estimated: wideSum(row, 'estimated') },
      })),
  };
}

export function selectRefusedSums(sinceMs: number): Query<ReadonlyMap<string, number>> {
  return {
    sql: `
      select app, cast(sum(refused) as bigint) as refused
        from refusal_hour
       where hour >= $1
       group by app`,
    values: [sinceMs],
    map: (rows) => new Map(rows.map((row) => [text(row, 'app'), int(row, 'refused')])),
  };
}

/** Undefined: all apps. */
export function selectHasUsage(apps: readonly string[] | undefined): Query<boolean> {
  return {
    sql: ['select 1 as found from usage_day', among(apps, 0), 'limit 1'].join(' '),
    values: apps ?? [],
    map: (rows) => rows.length > 0,
  };
}

const selectNewest = `
      select call_id
        from (select call_id, app from call order by call_id desc limit $1) newest`;

/** Searches only the newest calls of all apps. */
export function selectNewestCall(
  apps: readonly string[] | undefined,
  lookedAt: number,
): Query<string | undefined> {
  const values: SqlValue[] = [lookedAt, ...(apps ?? [])];
  return {
    sql: [selectNewest, among(apps, 1), 'order by call_id desc limit 1'].join(' '),
    values,
    map: ([row]) => (row === undefined ? undefined : text(row, 'call_id')),
  };
}

function among(apps: readonly string[] | undefined, before: number): string {
  if (apps === undefined) return '';
  if (apps.length === 0) return 'where 1 = 0';
  return `where app in (${apps.map((_, index) => `$${before + index + 1}`).join(', ')})`;
}

export const selectFailingHooks: Query<
  readonly { readonly hook: string; readonly waiting: number }[]
> = {
  sql: `
      select hook, count(*) as waiting
        from alert_delivery
       where status = 'waiting' and last_error is not null
       group by hook
       order by hook`,
  values: [],
  map: (rows) => rows.map((row) => ({ hook: text(row, 'hook'), waiting: int(row, 'waiting') })),
};
