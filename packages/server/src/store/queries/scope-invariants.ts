import type { Invariant } from './attempt-invariants.ts';

/** What must hold of caps beside the apps' own days. */
export const scopeInvariants: readonly Invariant[] = [
  {
    id: 'I1-scope',
    rule: 'no group, key, user or run was admitted above its cap: spent − overrun + held ≤ cap',
    sql: `
      select count(*) as breaches
        from budget_scope
       where admitted_cap is not null and spent - overrun + held > admitted_cap`,
  },
  {
    id: 'I2-scope',
    rule: "a cap's held money is the sum of the open holds that name it, and none that is named is missing",
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
    rule: "a cap's spent money is what was spent before it was there, and the sum over the calls that name it, pruned ones included",
    // Of pruned calls only the cost is known.
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
];
