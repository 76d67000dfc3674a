import type pg from 'pg';
import { type SqlRow, StoreError } from '../port/port.ts';
import { type Migration, pendingMigrations } from '../schema/migrations.ts';
import { lockBudgets } from './budgets-lock.ts';
import { failureOf } from './connection/failure.ts';

/** An arbitrary number: two services must not migrate at once. */
export const migrationLock = 7_263_411_055;

export interface Migrating {
  readonly migrations: readonly Migration[];
  readonly othersMs: number;
  /** A waiting statement blocks all later ones on the table, so this is short. */
  readonly tablesMs: number;
}

const createTable = `
  create table if not exists schema_migration (
    version bigint not null primary key,
    name text not null
  )`;
const selectApplied = 'select * from schema_migration';
const insertMigration = 'insert into schema_migration (version, name) values ($1, $2)';
const insertCompatible = `
  insert into schema_migration (version, name, compatible_from) values ($1, $2, $3)`;
const setLockTimeout = "select set_config('lock_timeout', $1, true)";

/**
 * Forward only, in one transaction under a lock. Throws a StoreError, with nothing changed, if this
 * service is too old for the schema or a lock takes too long.
 */
export async function migratePostgres(client: pg.Client, migrating: Migrating): Promise<void> {
  const { migrations, othersMs, tablesMs } = migrating;
  let waiting = `another model-gateway has been updating it for ${seconds(othersMs)}; wait for it`;
  await client.query('begin');
  try {
    await client.query(setLockTimeout, [`${othersMs}ms`]);
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    waiting = `a transaction has held a table lock for ${seconds(tablesMs)}; end it (see pg_stat_activity and pg_locks)`;
    await client.query(setLockTimeout, [`${tablesMs}ms`]);
    await client.query(createTable);
    const { rows } = await client.query<SqlRow>(selectApplied);
    const pending = pendingMigrations(migrations, rows);
    // A batch of another replica locks rows of one table and waits for the next. None may run while
    // steps lock tables in another order.
    if (pending.length > 0) await client.query(lockBudgets);
    for (const migration of pending) {
      await client.query(migration.sql);
      await note(client, migration);
    }
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    if (failureOf(cause) !== 'locked') throw cause;
    throw new StoreError(
      `the schema of the store was not updated, and nothing was changed: ${waiting}, then start again`,
      { cause },
    );
  }
}

/** The first steps predate the column `compatible_from`. */
async function note(client: pg.Client, { version, name, compatibleFrom }: Migration) {
  if (compatibleFrom === undefined) await client.query(insertMigration, [version, name]);
  else await client.query(insertCompatible, [version, name, compatibleFrom]);
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
