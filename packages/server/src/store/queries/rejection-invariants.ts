import type { Invariant } from './attempt-invariants.ts';

/** The store contains only a sample. */
export const rejectionInvariants: readonly Invariant[] = [
  {
    id: 'I12',
    rule: 'each rejection in the sample was right by its own amounts: the call needed more than the remaining money',
    // Differences, so no sum exceeds 64 bits.
    sql: `
      select count(*) as breaches
        from rejection
       where held < 0 or amount_left < 0 or needed < 0
          or case code
               when 'BUDGET_EXCEEDED' then
                 case
                   when cap is null or spent is null or spent < 0 then 1
                   when amount_left <> case when spent > cap or held > cap - spent then 0
                                            else cap - spent - held end then 1
                   when is_unpriced = 1 and amount_left > 0 then 1
                   when is_unpriced = 0 and needed <= amount_left
                        and not (spent > cap or held > cap - spent) then 1
                   else 0
                 end
               when 'INSUFFICIENT_CREDITS' then case when needed <= amount_left then 1 else 0 end
               else case when needed <= amount_left then 1 else 0 end
             end = 1`,
  },
  {
    id: 'I12-books',
    rule: 'no rejection by a daily budget counts more money than the calls of that day can have used',
    // A correction might have reduced amounts since: its day is excluded, and also a day whose sums
    // are near the end of 64 bits.
    sql: `
      select count(*) as breaches
        from rejection
        join (
          select app, day, sum(taken >> 32) as high, sum(taken & 4294967295) as low,
                 max(is_corrected) as is_corrected
            from (
              select app, day, case when basis = 'corrected' then 1 else 0 end as is_corrected,
                     case when cost > coalesce(held_at_end, held) then cost
                          else coalesce(held_at_end, held) end as taken
                from call
               where day >= (select coalesce(max(day), '') from prune_horizon)
                 and day in (select period from rejection)
               union all
              select app, day, 0, budget_amount from hold
               union all
              select app, day, 0, 0 from budget_day
               where day >= (select coalesce(max(day), '') from prune_horizon)) parts
           group by app, day) booked
          on rejection.scope = 'app:' || booked.app and rejection.period = booked.day
       where booked.is_corrected = 0 and booked.high < 1073741824
         and rejection.spent < 4611686018427387904 and rejection.held < 4611686018427387904
         and rejection.spent + rejection.held > booked.high * 4294967296 + booked.low`,
  },
];
