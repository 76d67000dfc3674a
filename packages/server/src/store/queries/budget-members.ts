import type { BudgetDefinition } from '../../domain/budget.ts';
import type { Statement, Store } from '../port/port.ts';
import { withSums } from '../schema/wide-sums.ts';
import { periodsAround } from './budget-periods.ts';

// A change of a budget's members corrects the rows of the ledger. The amounts come from daily sums
// and open reservations: no call is read, however many the period has. No ledger batch runs during
// the change: see `beforeBudgets`.

export type Members = readonly string[] | 'all';

/** Undefined for keys and users: only calls name their budgets. */
export function membersOf({
  scope,
  members,
}: Pick<BudgetDefinition, 'scope' | 'members'>): Members | undefined {
  return scope.startsWith('app:') ? [scope.slice('app:'.length)] : members;
}

export interface MemberChange {
  readonly kind: Store['kind'];
  readonly before: Members;
  readonly after: Members;
  readonly nowMs: number;
}

export function countBudget(
  { scope, span, capPicoUsd, mode }: BudgetDefinition,
  { kind, before, after, nowMs }: MemberChange,
): readonly Statement[] {
  const namesOf = (members: Members) => JSON.stringify(members === 'all' ? ['*'] : members);
  const named = [scope, span, namesOf(before), namesOf(after)];
  return [
    { sql: deleteBudgetApps, values: [scope, span] },
    { sql: addApps[kind], values: named },
    ...periodsAround(span, nowMs).flatMap(({ period, firstDay, endDay }): Statement[] => {
      const within = [scope, period, firstDay, endDay, span];
      return [
        { sql: addScope, values: [scope, period, capPicoUsd, mode] },
        { sql: leave, values: within },
        { sql: join, values: within },
        { sql: letGo, values: [scope, period, span] },
        { sql: takeUp, values: within },
        { sql: count, values: [...within, capPicoUsd, mode] },
      ];
    }),
  ];
}

const deleteBudgetApps = 'delete from budget_app where scope = $1 and span = $2';

const addApps = {
  sqlite: `
    insert into budget_app (scope, span, app, was_member, is_member)
    select $1, $2, app, max(was_member), max(is_member)
      from (select value as app, 1 as was_member, 0 as is_member from json_each($3)
             union all
            select value, 0, 1 from json_each($4)) named
     group by app`,
  postgres: `
    insert into budget_app (scope, span, app, was_member, is_member)
    select $1, $2, app, max(was_member), max(is_member)
      from (select value as app, 1 as was_member, 0 as is_member
              from json_array_elements_text(cast($3 as json)) as before (value)
             union all
            select value, 0, 1 from json_array_elements_text(cast($4 as json)) as after (value)
           ) named
     group by app`,
} as const;

const addScope = `
  insert into budget_scope
    (scope, period, cap, mode, admitted_cap, brought, spent, held, estimated, overrun, pruned,
     would_refuse, would_refuse_amount)
  values ($1, $2, $3, $4, null, 0, 0, 0, 0, 0, 0, 0, 0)
  on conflict (scope, period) do nothing`;

/** A leaving app's spending in the budget stays; the amount that it carried over is removed. */
const leave = withSums(`
  insert into budget_member (app, scope, period, first_day, end_day, brought, left_spent)
  select app.name, cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text), 0,
         capped_sum(day.spent) - coalesce(max(member.brought), 0)
    from app
    left join budget_day day on day.app = app.name and day.day >= $3 and day.day < $4
    left join budget_member member
      on member.app = app.name and member.scope = $1 and member.period = $2
   where exists (
           select 1 from budget_app was
            where was.scope = $1 and was.span = $5 and was.app in (app.name, '*')
              and was.was_member = 1)
     and not exists (
           select 1 from budget_app stays
            where stays.scope = $1 and stays.span = $5 and stays.app in (app.name, '*')
              and stays.is_member = 1)
   group by app.name
  on conflict (app, scope, period) do update
     set brought = 0, left_spent = excluded.left_spent`);

/**
 * A joining app carries over its spending, except the amount that its calls spent in the budget.
 */
const join = withSums(`
  insert into budget_member (app, scope, period, first_day, end_day, brought, left_spent)
  select app.name, cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text),
         capped_sum(day.spent) - coalesce(max(member.left_spent), 0), null
    from app
    left join budget_day day on day.app = app.name and day.day >= $3 and day.day < $4
    left join budget_member member
      on member.app = app.name and member.scope = $1 and member.period = $2
   where exists (
           select 1 from budget_app joins
            where joins.scope = $1 and joins.span = $5 and joins.app in (app.name, '*')
              and joins.is_member = 1)
     and not exists (
           select 1 from budget_app was
            where was.scope = $1 and was.span = $5 and was.app in (app.name, '*')
              and was.was_member = 1)
   group by app.name
  on conflict (app, scope, period) do update
     set brought = excluded.brought, left_spent = null`);

const letGo = `
  delete from hold_scope
   where scope = $1 and period = $2
     and call_id in (
           select call_id from hold
            where not exists (
                    select 1 from budget_app stays
                     where stays.scope = $1 and stays.span = $3
                       and stays.app in (hold.app, '*') and stays.is_member = 1))`;

const takeUp = `
  insert into hold_scope (call_id, scope, period)
  select call_id, cast($1 as text), cast($2 as text)
    from hold
   where day >= $3 and day < $4
     and exists (
           select 1 from budget_app joins
            where joins.scope = $1 and joins.span = $5 and joins.app in (hold.app, '*')
              and joins.is_member = 1)
     and not exists (
           select 1 from hold_scope known
            where known.call_id = hold.call_id and known.scope = $1 and known.period = $2)`;

/**
 * The row contains the amount that calls spent in the budget; the rest of the sum is carried over.
 */
const count = withSums(`
  update budget_scope
     set cap = $6, mode = $7, admitted_cap = null, held = counted.held,
         brought = counted.spent - counted.listed, spent = counted.spent
    from (
      select case when spent > listed then spent else listed end as spent, listed, held
        from (
          select (select capped_sum(amount)
                    from (
                      select day.spent as amount
                        from app
                        join budget_day day
                          on day.app = app.name and day.day >= $3 and day.day < $4
                       where exists (
                               select 1 from budget_app counts
                                where counts.scope = $1 and counts.span = $5
                                  and counts.app in (app.name, '*') and counts.is_member = 1)
                       union all
                      select left_spent from budget_member
                       where scope = $1 and period = $2) amounts) as spent,
                 (select spent - brought from budget_scope
                   where scope = $1 and period = $2) as listed,
                 cast(coalesce((
                   select sum(amount) from hold_scope
                    where scope = $1 and period = $2), 0) as bigint) as held) sums) counted
   where budget_scope.scope = $1 and budget_scope.period = $2`);
