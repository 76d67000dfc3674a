import type { Query, Statement } from '../port/port.ts';
import { andAmong } from '../schema/among.ts';
import { int, text } from '../schema/columns.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

/**
 * Counts until now, unless another process already did; 24 is the day's end. The row without an app
 * records that the hour was marked, even if no app had a call.
 */
export function markHour(day: string, hour: number): Statement {
  return {
    sql: `
      insert into usage_mark (day, hour, app, calls, errors, cost)
      select cast($1 as text), cast($2 as bigint), '' as app, 0, 0, 0
       union all
      select day, cast($2 as bigint), app,
             cast(sum(case when model = 'lost calls' then 0 else calls end) as bigint),
             cast(sum(case when model = 'lost calls' then 0 else errors end) as bigint),
             cast(sum(cost) as bigint)
        from usage_day
       where day = $1
       group by day, app
       order by app
      on conflict (day, hour, app) do nothing`,
    values: [day, hour],
  };
}

export function deleteMarks(day: string): Statement {
  return { sql: 'delete from usage_mark where day < $1', values: [day] };
}

const sumMarks = withSums(`
      select mark.app, mark.hour, count(*) as days, wide_sum(mark.cost) as cost
        from usage_mark mark
        join usage_mark whole
          on whole.day = mark.day and whole.app = mark.app and whole.hour = 24`);
const byHour = 'group by mark.app, mark.hour order by mark.app, mark.hour';

export interface MarkSum {
  readonly app: string;
  readonly hour: number;
  readonly days: number;
  readonly cost: bigint;
}

/** Only days whose end was marked; by app and hour. */
export function selectMarkSums(days: readonly string[]): Query<readonly MarkSum[]> {
  const among = days.map((_, index) => `$${index + 1}`).join(', ');
  return {
    sql: [sumMarks, `where mark.day in (${among})`, byHour].join(' '),
    values: days,
    map: (rows) =>
      rows.map((row) => ({
        app: text(row, 'app'),
        hour: int(row, 'hour'),
        days: int(row, 'days'),
        cost: wideSum(row, 'cost'),
      })),
  };
}

export interface HourMark {
  readonly day: string;
  readonly hour: number;
  readonly calls: number;
  readonly errors: number;
  readonly cost: bigint;
}

const hourMarks = withSums(`
      select day, hour, cast(sum(calls) as bigint) as calls,
             cast(sum(errors) as bigint) as errors, wide_sum(cost) as cost
        from usage_mark
       where day in ($1, $2)`);

/** From the day's start until the hour began; no row for an hour that no process marked. */
export function selectHourMarks(
  days: readonly [string, string],
  apps: readonly string[] | undefined,
): Query<readonly HourMark[]> {
  const marked = apps && ['', ...apps];
  return {
    sql: [hourMarks, andAmong(marked, 2), 'group by day, hour order by day, hour'].join(' '),
    values: [...days, ...(marked ?? [])],
    map: (rows) =>
      rows.map((row) => ({
        ...{ day: text(row, 'day'), hour: int(row, 'hour'), calls: int(row, 'calls') },
        ...{ errors: int(row, 'errors'), cost: wideSum(row, 'cost') },
      })),
  };
}
