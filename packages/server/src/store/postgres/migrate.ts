import type pg from 'pg';
import { loadMigrations } from '../migrations.ts';
import { StoreError } from '../port.ts';

/** A number of our own, so that two services do not migrate at once. */
const lockKey = 7_263_411_055;
/** How long another service may migrate. */
const waitForOthers = "set local lock_timeout = '30s'";
/** Whoever waits for a table makes all others wait behind him: not for long. */
const waitForTables = "set local lock_timeout = '2s'";

const createTable = `
  create table if not exists schema_migration (
    version bigint not null primary key,
    name text not null
  )`;
const selectVersion = 'select coalesce(max(version), 0) as version from schema_migration';
const insertMigration = 'insert into schema_migration (version, name) values ($1, $2)';

/**
 * Brings the schema up to date, forward only, in one transaction under a lock. Throws a StoreError
 * when the database was written by a later version of the service.
 */
export async function migratePostgres(client: pg.Client): Promise<void> {
  const migrations = loadMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  await client.query('begin');
  try {
    await client.query(waitForOthers);
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    await client.query(waitForTables);
    await client.query(createTable);
    const { rows } = await client.query<{ version: bigint }>(selectVersion);
    const version = Number(rows[0]?.version ?? 0n);
    if (version > newest) {
      throw new StoreError(
        `the store has schema ${version} and this model-gateway knows ${newest}: run a newer one`,
      );
    }
    for (const migration of migrations.filter((step) => step.version > version)) {
      await client.query(migration.sql);
      await client.query(insertMigration, [migration.version, migration.name]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
