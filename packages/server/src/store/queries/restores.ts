import type { Restore } from '../../domain/restore.ts';
import { utcDayOf } from '../../lib/clock.ts';
import type { Query, Statement } from '../port/port.ts';
import { int, optionalText } from '../schema/columns.ts';
import { bumpBudgets } from './budgets.ts';
import { shutOutOlder } from './instances.ts';

// The time of the restore from a backup, and the budgets opened since. Both are read with the
// budget definitions, and change under their revision.

/** From this schema on, instances reject calls of closed budgets. */
export const restoresSince = 40;

export const selectRestore: Query<Restore | undefined> = {
  sql: `
    select restored_at, budgets_opened_at, wallets_opened_at,
           (select string_agg(scope, '\n') from opened_budget) as scopes
      from store_restore
     where id = 1`,
  values: [],
  map([row]) {
    if (row === undefined) return undefined;
    const atMs = int(row, 'restored_at');
    return {
      ...{ atMs, day: utcDayOf(atMs) },
      areBudgetsOpen: row.budgets_opened_at !== null,
      areWalletsOpen: row.wallets_opened_at !== null,
      openScopes: new Set(optionalText(row, 'scopes')?.split('\n')),
    };
  },
};

/**
 * Closes budgets opened after an earlier restore. Changes nothing while an instance that ignores
 * restores is alive, and prevents the startup of another.
 */
export function recordRestore(atMs: number, aliveSinceMs: number): readonly Statement[] {
  return [
    shutOutOlder(restoresSince, aliveSinceMs),
    bumpBudgets,
    {
      sql: `
        insert into store_restore (id, restored_at, budgets_opened_at, wallets_opened_at)
        values (1, $1, null, null)
        on conflict (id) do update
           set restored_at = excluded.restored_at, budgets_opened_at = null,
               wallets_opened_at = null`,
      values: [atMs],
    },
    { sql: 'delete from opened_budget', values: [] },
  ];
}

/** Matches its row if this restore is the last. */
export function openBudgets(restore: Restore, nowMs: number): readonly Statement[] {
  const sql = 'update store_restore set budgets_opened_at = $2 where id = 1 and restored_at = $1';
  return [bumpBudgets, { sql, values: [restore.atMs, nowMs], abortIfNoRows: true }];
}

export function openWallets(restore: Restore, nowMs: number): readonly Statement[] {
  const sql = 'update store_restore set wallets_opened_at = $2 where id = 1 and restored_at = $1';
  return [bumpBudgets, { sql, values: [restore.atMs, nowMs], abortIfNoRows: true }];
}

export function openBudget(restore: Restore, scope: string, nowMs: number): readonly Statement[] {
  const sql = `
    insert into opened_budget (scope, opened_at)
    select cast($1 as text), cast($2 as bigint) from store_restore
     where id = 1 and restored_at = $3
    on conflict (scope) do update set opened_at = excluded.opened_at`;
  return [bumpBudgets, { sql, values: [scope, nowMs, restore.atMs], abortIfNoRows: true }];
}
