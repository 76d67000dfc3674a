import type { Query } from '../port/port.ts';
import { optionalText } from '../schema/columns.ts';

/** UTC; undefined for a store that was never used. */
export const selectNewestDay: Query<string | undefined> = {
  sql: `
    select max(day) as day from (
      select max(day) as day from usage_day
       union all
      select max(day) from budget_day
       union all
      select strftime('%Y-%m-%d', at / 1000, 'unixepoch') from audit_log
       where id = (select max(id) from audit_log))`,
  values: [],
  map: ([row]) => (row === undefined ? undefined : optionalText(row, 'day')),
};
