import { auditLines } from '../schema/audit-table.ts';
import {
  budgetMembers,
  budgetScopes,
  memberChanges,
  scopeChanges,
} from '../schema/scope-tables.ts';
import { usageAdjustments, usageCorrections } from '../schema/sum-tables.ts';
import * as tables from '../schema/tables.ts';
import { unclaimedChanges, unclaimedPayments } from '../schema/unclaimed-table.ts';
import { addUp, insert, insertInOrder, update, updateBoth } from './row-statements.ts';

// Statements of the ledger's transaction on PostgreSQL. Rows travel as one array per column: a
// statement has one plan for any number of rows. `lock-rows.ts` defines the order of keys.

/** The lock on the app ensures that a change of its daily budget is seen. */
export const createBudgetDays = `
  insert into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun)
  select app.name, key.day, app.daily_budget, null, 0, 0, 0, 0
    from unnest($1::text[], $2::text[]) as key (app, day)
    join app on app.name = key.app
   where not exists (
           select 1 from budget_day known where known.app = key.app and known.day = key.day)
   order by app.name, key.day
     for share of app
  on conflict do nothing`;

/**
 * `closed_until` cannot change under the definitions' lock: hours close only while no batch runs.
 */
export const lockBudgetDays = `
  select budget_day.*, (select closed_until from rollup_state where id = 1) as closed_until
    from unnest($1::text[], $2::text[]) as key (app, day)
    join budget_day on budget_day.app = key.app and budget_day.day = key.day
   order by budget_day.app, budget_day.day
     for update of budget_day`;

/**
 * Under the definitions' lock. Only for batches that lock no budget, whose rows would contain it.
 */
export const selectBudgetsRevision = 'select value as revision from budget_revision where id = 1';

/** Only a claim by current definitions makes a row: another's limit may be outdated. */
export const createBudgetScopes = `
  insert into budget_scope (scope, period, cap, mode, admitted_cap, brought, spent, held,
    estimated, overrun, pruned, would_refuse, would_refuse_amount)
  select key.scope, key.period, key.cap, key.mode, null, 0, 0, 0, 0, 0, 0, 0, 0
    from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[])
      as key (scope, period, cap, mode, revision)
    join budget_revision on budget_revision.id = 1 and budget_revision.value = key.revision
   order by key.scope, key.period
  on conflict do nothing`;

/**
 * Uses only the index, in its order: a join costs a third more. Locks all named periods of a scope;
 * few have extra periods. Also returns the revision: a separate statement would cost as much as
 * this one.
 */
export const lockBudgetScopes = `
  select *, (select value from budget_revision where id = 1) as revision
    from budget_scope
   where scope = any ($1::text[]) and period = any ($2::text[])
   order by scope, period
     for update`;

/**
 * Claimed ($2), listed by calls ($1), and counting their apps ($3, on days $4): fixed under the
 * locks on days and definitions. Shared lists are read once. An empty table is not searched.
 */
export const lockListedScopes = `
  select budget_scope.*
    from (
      select substring(key from '^(.*)@') as scope, substring(key from '[^@]*$') as period
        from (
          select unnest($2::text[]) as key
           union
          select json_array_elements_text(cast(scopes as json))
            from (
              select scopes from hold where call_id = any ($1::text[]) and scopes is not null
               union
              select scopes from call where call_id = any ($1::text[]) and scopes is not null
            ) list) listed
       where key is not null
       union
      select member.scope, member.period
        from unnest($3::text[], $4::text[]) as booked (app, day)
        join budget_member member on member.app = booked.app
             and member.first_day <= booked.day and member.end_day > booked.day) wanted
    join budget_scope
      on budget_scope.scope = wanted.scope and budget_scope.period = wanted.period
   where exists (select 1 from budget_scope)
   order by budget_scope.scope, budget_scope.period
     for update of budget_scope`;

export const selectMembers = `
  select distinct member.*
    from unnest($1::text[], $2::text[]) as booked (app, day)
    join budget_member member on member.app = booked.app
         and member.first_day <= booked.day and member.end_day > booked.day`;

/** A wallet without a grant must not be created: its call has ended. */
export const createWalletMonths = `
  insert into wallet_month (app, user_id, month, granted, pico_usd_per_credit,
    spent_grant, spent_topup, held_grant)
  select app, user_id, month, granted, pico_usd_per_credit, 0, 0, 0
    from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])
      as key (app, user_id, month, granted, pico_usd_per_credit)
   where granted is not null
   order by app, user_id, month
  on conflict do nothing`;

export const lockWalletMonths = `
  select wallet_month.*
    from unnest($1::text[], $2::text[], $3::text[]) as key (app, user_id, month)
    join wallet_month on wallet_month.app = key.app and wallet_month.user_id = key.user_id
         and wallet_month.month = key.month
   order by wallet_month.app, wallet_month.user_id, wallet_month.month
     for update of wallet_month skip locked`;

export const findWalletMonths = `
  select wallet_month.app, wallet_month.user_id, wallet_month.month
    from unnest($1::text[], $2::text[], $3::text[]) as key (app, user_id, month)
    join wallet_month on wallet_month.app = key.app and wallet_month.user_id = key.user_id
         and wallet_month.month = key.month`;

export const createWalletTopups = `
  insert into wallet_topup (app, user_id, added, spent, held)
  select app, user_id, 0, 0, 0
    from unnest($1::text[], $2::text[]) as key (app, user_id)
   order by app, user_id
  on conflict do nothing`;

export const lockWalletTopups = `
  select wallet_topup.*
    from unnest($1::text[], $2::text[]) as key (app, user_id)
    join wallet_topup on wallet_topup.app = key.app and wallet_topup.user_id = key.user_id
   order by wallet_topup.app, wallet_topup.user_id
     for update of wallet_topup skip locked`;

export const selectInstances = 'select id from owner where seen_at > $1';

export const lockIdempotency = `
  select idempotency.*
    from unnest($1::text[], $2::text[]) as key (app, key_hash)
    join idempotency on idempotency.app = key.app and idempotency.key_hash = key.key_hash
   order by idempotency.app, idempotency.key_hash
     for update of idempotency skip locked`;

export const findIdempotency = `
  select idempotency.app, idempotency.key_hash
    from unnest($1::text[], $2::text[]) as key (app, key_hash)
    join idempotency on idempotency.app = key.app and idempotency.key_hash = key.key_hash`;

export const selectEntries = `
  select wallet_entry.*
    from unnest($1::text[], $2::text[], $3::text[]) as key (app, user_id, reference)
    join wallet_entry on wallet_entry.app = key.app and wallet_entry.user_id = key.user_id
         and wallet_entry.reference = key.reference`;

/** After the locks: a reservation starts and ends only under its day's lock. */
export const selectHolds = 'select * from hold where call_id = any ($1::text[])';

export const selectCalls = 'select * from call where call_id = any ($1::text[])';

export const selectAttempts =
  'select * from attempt where call_id = any ($1::text[]) order by call_id, n';

/** After the locks on days and wallets. */
export const selectUnclaimed = 'select * from unclaimed_payment where call_id = any ($1::text[])';

export const updateBudgetDays = update(tables.budgetDays, tables.budgetChanges);

/** Without days: for calls that only a shadow budget would have rejected. */
export const updateBudgetScopes = update(budgetScopes, scopeChanges);

export const updateBudgets = updateBoth(
  updateBudgetDays,
  update(budgetScopes, scopeChanges, updateBudgetDays.width),
);

export const updateMembers = update(budgetMembers, memberChanges);

export const updateWalletMonths = update(tables.walletMonths, tables.walletChanges);

export const updateWalletTopups = update(tables.walletTopups, tables.topupChanges);

export const insertEntries = insert(tables.walletEntries);

export const insertHolds = insert(tables.holds);

export const updateHolds = update(tables.holds, tables.holdChanges);

export const deleteHolds = 'delete from hold where call_id = any ($1::text[])';

export const insertCalls = insert(tables.calls);

export const deleteCalls = 'delete from call where call_id = any ($1::text[])';

export const insertAttempts = insert(tables.attempts);

export const updateAttempts = update(tables.attempts, tables.attemptChanges);

export const addUsage = addUp(tables.usageDays);

export const addAdjustments = addUp(usageAdjustments);

export const addCorrections = addUp(usageCorrections);

/** A plain insert: a key that another replica created in between must be an error. */
export const insertIdempotency = insertInOrder(tables.idempotencyKeys);

export const updateIdempotency = update(tables.idempotencyKeys, tables.keyChanges);

export const deleteIdempotency = `
  delete from idempotency
   using unnest($1::text[], $2::text[]) as key (app, key_hash)
   where idempotency.app = key.app and idempotency.key_hash = key.key_hash`;

export const insertUnclaimed = insert(unclaimedPayments);

export const updateUnclaimed = update(unclaimedPayments, unclaimedChanges);

export const deleteUnclaimed = 'delete from unclaimed_payment where call_id = any ($1::text[])';

/** An expired reservation left an empty answer, which its late settlement replaces. */
export const deleteAnswers = 'delete from answer where call_id = any ($1::text[])';

export const insertResults = insert(tables.results);

export const insertAnswers = insert(tables.answers);

export const insertLines = insert(auditLines);
