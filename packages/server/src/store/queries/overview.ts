import type { Query, SqlValue } from '../port/port.ts';
import { andAmong } from '../schema/among.ts';
import { int, text } from '../schema/columns.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

// One statement per table, however many apps exist.

export interface DayTotals {
  readonly app: string;
  readonly calls: number;
  readonly errors: number;
  readonly cost: bigint;
  readonly estimated: bigint;
}

/** Omits apps without a call. */
export function selectDayTotals(day: string): Query<readonly DayTotals[]> {
  return {
    sql: withSums(`
      select app, cast(sum(case when model = 'lost calls' then 0 else calls end) as bigint) as calls,
             cast(sum(case when model = 'lost calls' then 0 else errors end) as bigint) as errors,
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

export interface ModelTotals {
  readonly model: string;
  readonly calls: number;
  readonly errors: number;
  readonly cost: bigint;
}

const modelTotals = withSums(`
      select model, cast(sum(case when model = 'lost calls' then 0 else calls end) as bigint) as calls,
             cast(sum(case when model = 'lost calls' then 0 else errors end) as bigint) as errors,
             wide_sum(cost) as cost
        from usage_day
       where day = $1`);

/** In no order. */
export function selectModelTotals(
  day: string,
  apps: readonly string[] | undefined,
): Query<readonly ModelTotals[]> {
  return {
    sql: [modelTotals, andAmong(apps, 1), 'group by model'].join(' '),
    values: [day, ...(apps ?? [])],
    map: (rows) =>
      rows.map((row) => ({
        ...{ model: text(row, 'model'), calls: int(row, 'calls') },
        ...{ errors: int(row, 'errors'), cost: wideSum(row, 'cost') },
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
  callsMax: number,
): Query<string | undefined> {
  const values: SqlValue[] = [callsMax, ...(apps ?? [])];
  return {
    sql: [selectNewest, among(apps, 1), 'order by call_id desc limit 1'].join(' '),
    values,
    map: ([row]) => (row === undefined ? undefined : text(row, 'call_id')),
  };
}

function among(apps: readonly string[] | undefined, before: number): string {
  return andAmong(apps, before).replace('and', 'where');
}

export const selectFailingWebhooks: Query<
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
