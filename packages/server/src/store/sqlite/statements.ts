import { insertBut, insertOne, selectFrom, upsert } from '../schema/row-statement.ts';
import {
  budgetMembers,
  budgetScopes,
  memberChanges,
  scopeChanges,
} from '../schema/scope-tables.ts';
import { usageAdjustments, usageCorrections } from '../schema/sum-tables.ts';
import * as tables from '../schema/tables.ts';
import { unclaimedChanges, unclaimedPayments } from '../schema/unclaimed-table.ts';
import { addUp, replace, update } from './row-statements.ts';

// Statements of the ledger's transaction on SQLite.

export const createBudgetDay = `
  insert or ignore into budget_day (app, day, cap, admitted_cap, spent, held, estimated, overrun)
  select name, $2, daily_budget, null, 0, 0, 0, 0 from app where name = $1`;

export const selectBudgetDay = selectFrom(
  tables.budgetDays,
  'budget_day where app = $1 and day = $2',
);

export const updateBudgetDay = update(tables.budgetDays, tables.budgetChanges);

export const selectBudgetsRevision = 'select value from budget_revision where id = 1';

export const createBudgetScope = `
  insert or ignore into budget_scope (scope, period, cap, mode, admitted_cap, brought, spent, held,
    estimated, overrun, pruned, would_refuse, would_refuse_amount)
  values ($1, $2, $3, $4, null, 0, 0, 0, 0, 0, 0, 0, 0)`;

export const selectBudgetScope = selectFrom(
  budgetScopes,
  'budget_scope where scope = $1 and period = $2',
);

export const updateBudgetScope = update(budgetScopes, scopeChanges);

/** Only periods that include the day. */
export const selectMembers = selectFrom(
  budgetMembers,
  'budget_member where app = $1 and first_day <= $2 and end_day > $2',
);

export const updateMember = update(budgetMembers, memberChanges);

export const createWalletMonth = `
  insert or ignore into wallet_month (app, user_id, month, granted, pico_usd_per_credit,
    spent_grant, spent_topup, held_grant)
  values ($1, $2, $3, $4, $5, 0, 0, 0)`;

export const selectWalletMonth = selectFrom(
  tables.walletMonths,
  'wallet_month where app = $1 and user_id = $2 and month = $3',
);

export const updateWalletMonth = update(tables.walletMonths, tables.walletChanges);

export const createWalletTopup = `
  insert or ignore into wallet_topup (app, user_id, added, spent, held) values ($1, $2, 0, 0, 0)`;

export const selectWalletTopup = selectFrom(
  tables.walletTopups,
  'wallet_topup where app = $1 and user_id = $2',
);

export const updateWalletTopup = update(tables.walletTopups, tables.topupChanges);

export const selectWalletEntry = selectFrom(
  tables.walletEntries,
  'wallet_entry where app = $1 and user_id = $2 and reference = $3',
);

export const insertWalletEntry = insertOne(tables.walletEntries);

/** `cross join` makes the list the outer loop: one lookup per call, one statement for all. */
export const selectHolds = selectFrom(
  tables.holds,
  'json_each($1) as wanted cross join hold on hold.call_id = wanted.value',
);

export const insertHold = insertOne(tables.holds);

/** Binding a null takes as long as a value, a tenth of a microsecond. */
export const rarely = ['month', 'userId', 'keyHash', 'scopes'] as const;

export const insertPlainHold = insertBut(tables.holds, rarely);

export const updateHold = update(tables.holds, tables.holdChanges);

export const deleteHold = 'delete from hold where call_id = $1';

export const selectCalls = `
  select call.* from json_each($1) as wanted cross join call on call.call_id = wanted.value`;

export const insertCall = insertOne(tables.calls);

export const putCall = replace(tables.calls);

/** A call without a month reserves nothing in a wallet. */
export const insertPlainCall = insertBut(tables.calls, [...rarely, 'walletHeld']);

export const selectAttempts = `
  select attempt.*
    from json_each($1) as wanted
   cross join attempt on attempt.call_id = wanted.value
   order by attempt.call_id, attempt.n`;

export const insertAttempt = insertOne(tables.attempts);

export const updateAttempt = update(tables.attempts, tables.attemptChanges);

export const addUsageDay = addUp(tables.usageDays);

export const addUsageAdjustments = addUp(usageAdjustments);

export const addCorrection = addUp(usageCorrections);

export const selectUnclaimed = selectFrom(
  unclaimedPayments,
  'json_each($1) as wanted cross join unclaimed_payment on call_id = wanted.value',
);

export const insertUnclaimed = insertOne(unclaimedPayments);

export const updateUnclaimed = update(unclaimedPayments, unclaimedChanges);

export const deleteUnclaimed = 'delete from unclaimed_payment where call_id = $1';

export const selectClosedUntil = 'select closed_until from rollup_state where id = 1';

export const selectIdempotency = selectFrom(
  tables.idempotencyKeys,
  'json_each($2) as wanted cross join idempotency on idempotency.app = $1 and idempotency.key_hash = wanted.value',
);

export const putIdempotency = upsert(tables.idempotencyKeys);

export const deleteIdempotency = 'delete from idempotency where app = $1 and key_hash = $2';

export const insertResult = insertOne(tables.results);

export const insertAnswer = replace(tables.answers);

export const selectInstances = 'select id from owner';
