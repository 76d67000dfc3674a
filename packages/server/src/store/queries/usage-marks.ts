import type { Query, Statement } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';
import { wideSum, withSums } from '../schema/wide-sums.ts';

/** Up to now, unless another process has; 24 is the day's end. */
export function markHour(day: string, hour: number): Statement {
  return {
    sql: `
      insert into usage_mark (day, hour, app, calls, cost)
      select day, $2, app, cast(sum(calls) as bigint), cast(sum(cost) as bigint)
        from usage_day
       where day = $1
       group by day, app
       order by app
      on conflict (day, hour, app) do nothing`,
    values: [day, hour],
  };
}

export function forgetMarks(day: string): Statement {
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

/** Only days marked at their end; by app and hour. */
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
