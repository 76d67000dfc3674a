import { withSums } from '../schema/wide-sums.ts';
import type { Invariant } from './attempt-invariants.ts';

export const scopeInvariants: readonly Invariant[] = [
  {
    id: 'I1-scope',
    rule: 'no group, key, user or run was admitted above its budget: spent − overrun + held ≤ cap',
    sql: `
      select count(*) as breaches
        from budget_scope
       where admitted_cap is not null and held > admitted_cap - spent + overrun`,
  },
  {
    id: 'I2-scope',
    rule: 'the reserved money of a budget is the sum of the open reservations that name it, and no named budget is missing',
    sql: `
      select count(*) as breaches
        from (
          select scope, period
            from (
              select scope, period, held as difference, 1 as rows from budget_scope
               union all
              select scope, period, -amount, 0 from hold_scope) parts
           group by scope, period
          having sum(difference) <> 0 or sum(rows) = 0) wrong`,
  },
  {
    id: 'I4-scope',
    rule: 'the spent money of a budget is the money spent before it existed, plus the sum of the calls that name it, including pruned calls',
    // For pruned calls, only the cost is stored.
    sql: `
      select count(*) as breaches
        from (
          select scope, period
            from (
              select scope, period, spent - brought - pruned as spent, estimated, overrun, pruned,
                     1 as rows
                from budget_scope
               union all
              select scope, period, -cost, -estimated, -overrun, 0, 0 from call_scope) parts
           group by scope, period
          having sum(spent) <> 0 or sum(rows) = 0
              or (sum(pruned) = 0 and (sum(estimated) <> 0 or sum(overrun) <> 0))) wrong`,
  },
  {
    id: 'I4-member',
    rule: 'a new member adds the cost of its calls without the name of the budget; an app that left keeps the cost of its calls with the name',
    // Not compared: periods with pruned calls, and a budget that a previous version has counted,
    // whose members' parts are not all that was carried over. A call without a reservation has no
    // list; an app that left may have some.
    sql: withSums(`
      select count(*) as breaches
        from (
          select app, scope, period
            from (
              select app, scope, period, brought, left_spent, 0 as named, 0 as unnamed, 0 as unheld
                from budget_member
               where first_day >= (select coalesce(max(day), '') from prune_horizon)
               union all
              select member.app, member.scope, member.period, null, null, 0, call.cost,
                     case when call.basis = 'orphan' then call.cost else 0 end
                from budget_member member
                join call on call.app = member.app
                     and call.day >= member.first_day and call.day < member.end_day
               union all
              select call.app, named.scope, named.period, null, null, named.cost, -named.cost, 0
                from call_scope named
                join call on call.call_id = named.call_id
               where exists (select 1 from budget_member)) parts
           where (scope, period) in (
                   select budget_scope.scope, budget_scope.period
                     from budget_scope
                     join budget_member member
                       on member.scope = budget_scope.scope and member.period = budget_scope.period
                    group by budget_scope.scope, budget_scope.period, budget_scope.brought
                   having capped_sum(member.brought) = budget_scope.brought)
           group by app, scope, period
          having max(brought) is not null
             and case when max(left_spent) is null then sum(unnamed) <> max(brought)
                      else max(left_spent) < sum(named)
                           or max(left_spent) > sum(named) + sum(unheld) end) wrong`),
  },
];
