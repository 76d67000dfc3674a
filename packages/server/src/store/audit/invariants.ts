import { attemptInvariants, type Invariant } from '../queries/attempt-invariants.ts';
import { rejectionInvariants } from '../queries/rejection-invariants.ts';
import { scopeInvariants } from '../queries/scope-invariants.ts';
import { rollupInvariants } from '../sums/invariants.ts';

/** Table constraints exclude these; a store may have older rows. */
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

const amountInvariant: Invariant = {
  id: 'I6',
  rule: 'no amount is negative, no estimate exceeds its cost, and no reservation is below the part of the wallet',
  sql: ['select count(*) as breaches from (', wrongRows, ') wrong'].join(''),
  rowsSql: ['select name from (', wrongRows, ') wrong order by name limit 10'].join(''),
};

export const invariants: readonly Invariant[] = [
  {
    id: 'I1',
    rule: 'no day was admitted above its budget: spent − overrun + held ≤ cap',
    sql: `
      select count(*) as breaches
        from budget_day
       where admitted_cap is not null and spent - overrun + held > admitted_cap`,
  },
  {
    id: 'I2',
    rule: 'the reserved money of a day is the sum of its open reservations, and no day with a reservation is missing',
    sql: `
      select count(*) as breaches
        from (
          select app, day
            from (
              select app, day, held as difference, 1 as rows from budget_day
               union all
              select app, day, -budget_amount, 0 from hold) parts
           group by app, day
          having sum(difference) <> 0 or sum(rows) = 0) wrong`,
  },
  {
    id: 'I3-grant',
    rule: 'the reserved grant of a month is the sum of its open reservations and unclaimed payments, and no grant is overdrawn or missing',
    sql: `
      select count(*) as breaches
        from (
          select app, user_id, month
            from (
              select app, user_id, month, held_grant as difference, 1 as rows,
                     case when spent_grant + held_grant > granted then 1 else 0 end as overdrawn
                from wallet_month
               union all
              select app, user_id, month, -grant_amount, 0, 0
                from hold where user_id is not null and month is not null
               union all
              select app, user_id, month, -grant_held, 0, 0 from unclaimed_payment) parts
           group by app, user_id, month
          having sum(difference) <> 0 or sum(rows) = 0 or sum(overdrawn) > 0) wrong`,
  },
  {
    id: 'I3-topup',
    rule: 'reserved top-up money is the sum of its open reservations and unclaimed payments, and none is overdrawn or missing',
    sql: `
      select count(*) as breaches
        from (
          select app, user_id
            from (
              select app, user_id, held as difference, 1 as rows,
                     case when spent + held > added then 1 else 0 end as overdrawn
                from wallet_topup
               union all
              select app, user_id, -topup_amount, 0, 0
                from hold where user_id is not null and month is not null
               union all
              select app, user_id, -topup_held, 0, 0 from unclaimed_payment) parts
           group by app, user_id
          having sum(difference) <> 0 or sum(rows) = 0 or sum(overdrawn) > 0) wrong`,
  },
  {
    id: 'I4-budget',
    rule: 'the spent money, estimates and overruns of a day are the sums of its calls, and no day with a call is missing',
    sql: `
      select count(*) as breaches
        from (
          select app, day
            from (
              select app, day, spent, estimated, overrun, 1 as rows
                from budget_day
               where day >= (select coalesce(max(day), '') from prune_horizon)
               union all
              select app, day, -sum(cost), -sum(estimated),
                     -sum(case when cost > held then cost - held else 0 end), 0
                from call
               where day >= (select coalesce(max(day), '') from prune_horizon)
               group by app, day) parts
           group by app, day
          having sum(spent) <> 0 or sum(estimated) <> 0 or sum(overrun) <> 0
              or sum(rows) = 0) wrong`,
  },
  {
    id: 'I4-wallet',
    rule: 'the spent money of a wallet is the sum of the payments for its calls, and no wallet that paid is missing',
    sql: `
      select count(*) as breaches
        from (
          select app, user_id, month
            from (
              select app, user_id, month, spent_grant, spent_topup from wallet_month
               union all
              select app, user_id, month, -from_grant, -from_topup from pruned_wallet
               union all
              select app, user_id, month, -sum(wallet_grant), -sum(wallet_topup)
                from call
               where user_id is not null and month is not null
               group by app, user_id, month) parts
           group by app, user_id, month
          having sum(spent_grant) <> 0 or sum(spent_topup) <> 0) wrong`,
  },
  {
    id: 'I4-topup',
    rule: 'spent and added top-up money are the sums of calls and of top-ups, and no wallet with a top-up is missing',
    sql: `
      select count(*) as breaches
        from (
          select app, user_id
            from (
              select app, user_id, spent, added, 1 as rows, 0 as entries from wallet_topup
               union all
              select app, user_id, -from_topup, 0, 0, 0 from pruned_wallet
               union all
              select app, user_id, -sum(wallet_topup), 0, 0, 0
                from call where user_id is not null group by app, user_id
               union all
              select app, user_id, 0, -sum(amount), 0, 1
                from wallet_entry group by app, user_id) parts
           group by app, user_id
          having sum(spent) <> 0 or sum(added) <> 0
              or (sum(rows) = 0 and sum(entries) > 0)) wrong`,
  },
  ...scopeInvariants,
  ...attemptInvariants,
  amountInvariant,
  {
    id: 'I7',
    rule: 'no ended call still has a reservation',
    sql: 'select count(*) as breaches from hold join call on call.call_id = hold.call_id',
  },
  {
    id: 'I10',
    rule: 'an idempotency key has at most one stored response, that of its call',
    sql: `
      select (select count(*)
                from idempotency
                left join answer on answer.call_id = idempotency.call_id
               where idempotency.state = 'answered' and coalesce(answer.body, '') = '')
           + (select count(*)
                from result
                join idempotency on idempotency.app = result.app
                 and idempotency.key_hash = result.key_hash
                 and idempotency.call_id = result.call_id
               where idempotency.state <> 'unstored') as breaches`,
  },
  ...rejectionInvariants,
  {
    id: 'I13',
    rule: 'while a process serves, no reservation stays open past its time and two sweeps',
    sql: `
      select count(*) as breaches
        from hold
       where expires_at < $1
         and exists (select 1 from owner where seen_at > $2)`,
    usesTime: true,
  },
  ...rollupInvariants,
];
