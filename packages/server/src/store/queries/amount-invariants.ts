import type { Invariant } from './attempt-invariants.ts';

/** Barred by table constraints; a store may have rows from before these. */
const wrongRows = `
      select 'budget_day ' || app || ' ' || day as name from budget_day
       where spent < 0 or held < 0 or estimated < 0 or overrun < 0
       union all
      select 'budget_scope ' || scope || ' ' || period from budget_scope
       where brought < 0 or spent < 0 or held < 0 or estimated < 0 or overrun < 0 or pruned < 0
       union all
      select 'wallet_month ' || app || ' ' || user_id || ' ' || month from wallet_month
       where spent_grant < 0 or spent_topup < 0 or held_grant < 0
       union all
      select 'wallet_topup ' || app || ' ' || user_id from wallet_topup
       where added < 0 or spent < 0 or held < 0
       union all
      select 'hold ' || call_id from hold
       where grant_amount < 0 or topup_amount < 0 or budget_amount - grant_amount < topup_amount
       union all
      select 'unclaimed_payment ' || call_id from unclaimed_payment
       where grant_held < 0 or topup_held < 0 or cost < 0
       union all
      select 'call ' || call_id from call
       where cost < 0 or estimated < 0 or estimated > cost or wallet_grant < 0
          or wallet_topup < 0
       union all
      select 'attempt ' || call_id from attempt where cost < 0`;

export const amountInvariant: Invariant = {
  id: 'I6',
  rule: "no amount is negative, no estimate is above its cost, and no reservation is below the wallet's part",
  sql: ['select count(*) as breaches from (', wrongRows, ') wrong'].join(''),
  rowsSql: ['select name from (', wrongRows, ') wrong order by name limit 10'].join(''),
};
