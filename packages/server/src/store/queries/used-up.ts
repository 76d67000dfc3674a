import type { Query, Statement } from '../port/port.ts';
import { int, text } from '../schema/columns.ts';

/** Whether {@link noteUsedUp} would change rows: most checks have nothing to write. */
export function selectUsedUpChanges(day: string): Query<boolean> {
  return {
    sql: `
      select 1 as found
        from app
        join budget_day budget on budget.app = app.name and budget.day = $1
        left join budget_used_up used on used.app = budget.app and used.day = budget.day
       where case when budget.spent >= budget.cap and budget.spent > 0 then 1 else 0 end
             <> case when used.since is null then 0 else 1 end
       limit 1`,
    values: [day],
    map: (rows) => rows.length > 0,
  };
}

/** The first process's time stays. */
export function noteUsedUp(day: string, nowMs: number): readonly Statement[] {
  return [
    {
      sql: `
        delete from budget_used_up
         where day = $1
           and not exists (
                 select 1
                   from budget_day budget
                  where budget.app = budget_used_up.app and budget.day = budget_used_up.day
                    and budget.spent >= budget.cap and budget.spent > 0)`,
      values: [day],
    },
    {
      sql: `
        insert into budget_used_up (day, app, since)
        select budget.day, budget.app, cast($2 as bigint)
          from app
          join budget_day budget on budget.app = app.name and budget.day = $1
         where budget.spent >= budget.cap and budget.spent > 0
         order by budget.app
        on conflict (day, app) do nothing`,
      values: [day, nowMs],
    },
  ];
}

export function selectUsedUp(day: string): Query<ReadonlyMap<string, number>> {
  return {
    sql: 'select app, since from budget_used_up where day = $1',
    values: [day],
    map: (rows) => new Map(rows.map((row) => [text(row, 'app'), int(row, 'since')])),
  };
}

export function deleteUsedUp(day: string): Statement {
  return { sql: 'delete from budget_used_up where day < $1', values: [day] };
}
