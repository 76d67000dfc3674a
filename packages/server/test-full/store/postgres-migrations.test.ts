import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyRing, newRingKey } from '../../src/lib/key-ring.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { schemaVersion } from '../../src/operations/store/operations.ts';
import type { SqlRow, Store } from '../../src/store/port/port.ts';
import { type Migrating, migrationLock } from '../../src/store/postgres/migrate.ts';
import { bumpRevision } from '../../src/store/queries/operator-statements.ts';
import { text } from '../../src/store/schema/columns.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { asBefore } from '../../test/conformance/version-before.ts';
import { adminOn, count, openReplica } from '../../test/store/support/books.ts';
import { later } from '../../test/store/support/later-migration.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';
import { openPostgresStore } from '../../test/support/postgres-store.ts';

const migrations = loadMigrations('postgres');
const newest = migrations.length;

let server: OwnPostgres;
beforeAll(async () => {
  server = await startOwnPostgres(['fsync=off']);
});
afterAll(() => server.close());

test('several services that start at once on an empty database migrate it once', async () => {
  const url = await server.database();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openReplica(url)));
  const [store] = stores;
  if (store === undefined) throw new Error('no store was opened');
  expect(await migrationsOf(store)).toEqual(migrations.map(nameOf));
  expect(await count(store, 'select count(*) as n from revision')).toBe(1);
  await Promise.all(stores.map((one) => one.close()));
});

test('a store of a later version is rejected in one line, and not changed', async () => {
  const url = await server.database();
  const store = await openReplica(url);
  const later = "insert into schema_migration (version, name) values (9999, 'later')";
  await store.write([{ sql: later, values: [] }]);
  await expect(openReplica(url)).rejects.toThrow(
    /^the store has schema 9999, but this model-gateway supports up to \d+; run a newer version$/,
  );
  // An existing service still runs on it.
  expect(await count(store, 'select count(*) as n from app')).toBe(0);
  await store.close();
});

/** Opens a store as a service with another target schema, and another way to reach it. */
function openWith(url: string, migrating: Partial<Migrating>): Promise<Store> {
  return openPostgresStore({ url, log: silentLog, migrating });
}

describe('a migration that cannot get its lock', () => {
  test.each([
    [
      'because another service migrates',
      `select pg_advisory_xact_lock(${migrationLock})`,
      { othersMs: 200 },
      'another model-gateway has been updating it for 0.2 s; wait for it',
    ],
    [
      'because a transaction has a table',
      'lock table audit_log in row exclusive mode',
      { tablesMs: 300 },
      'a transaction has held a table lock for 0.3 s; end it (see pg_stat_activity and pg_locks)',
    ],
  ])(
    '%s gives up, leaves nothing behind, and is done at the next start',
    async (_why, sql, limits, what) => {
      const url = await server.database();
      const before = asBefore(migrations);
      const store = await openWith(url, { migrations: before });
      const holder = new pg.Client(url);
      await holder.connect();
      await holder.query('begin');
      await holder.query(sql);
      await expect(openWith(url, limits)).rejects.toThrow(
        `the schema of the store was not updated, and nothing was changed: ${what}, then start again`,
      );
      expect(await migrationsOf(store)).toEqual(before.map(nameOf));
      expect(await columnsOf(store, columnsOfMigrations)).toEqual(['name', 'version']);
      // A running service continues, and a check finds no remaining lock.
      await store.write([{ sql: bumpRevision, values: [] }]);
      await holder.query('rollback');
      await holder.end();
      const next = await openWith(url, {});
      expect(await migrationsOf(next)).toEqual(migrations.map(nameOf));
      await Promise.all([store.close(), next.close()]);
    },
  );
});

const columnsOfMigrations = `
  select column_name as name from information_schema.columns
   where table_name = 'schema_migration'`;

test('the previous version starts on a later schema, and writes to it', async () => {
  const url = await server.database();
  const step = later({ version: newest + 1, compatibleFrom: newest });
  const store = await openWith(url, { migrations: [...migrations, step] });
  const old = await openReplica(url);
  await createApp(adminOn(old), 'search', {});
  expect(await schemaVersion(old)).toBe(newest + 1);
  await Promise.all([store.close(), old.close()]);
});

test('an older version than that does not start', async () => {
  const url = await server.database();
  const step = later({ version: newest + 1, compatibleFrom: newest + 1 });
  const store = await openWith(url, { migrations: [...migrations, step] });
  await expect(openReplica(url)).rejects.toThrow(
    `the store has schema ${newest + 1}, but this model-gateway supports up to ${newest}; run a newer version`,
  );
  await store.close();
});

test('both databases have the same migrations, tables and columns', async () => {
  const postgres = await openReplica(await server.database());
  const sqlite = openDirectStore(':memory:');
  expect(await migrationsOf(postgres)).toEqual(await migrationsOf(sqlite));
  const ofPostgres = await columnsOf(
    postgres,
    `select table_name || '.' || column_name as name
       from information_schema.columns
      where table_schema = 'public'`,
  );
  const ofSqlite = await columnsOf(
    sqlite,
    `select tables.name || '.' || columns.name as name
       from sqlite_schema tables, pragma_table_info(tables.name) columns
      where tables.type in ('table', 'view')`,
  );
  expect(ofPostgres).toEqual(ofSqlite);
  await Promise.all([postgres.close(), sqlite.close()]);
});

test('a server that may lose confirmed commits is logged as a warning', async () => {
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (fields) => void warnings.push(fields) };
  const ring = createKeyRing([newRingKey()]);
  const store = await openPostgresStore({ url: await server.database(), log, ring });
  if (server.isOwn) expect(warnings).toEqual([{ setting: 'fsync' }]);
  await store.close();
});

function migrationsOf(store: Store): Promise<readonly string[]> {
  return store.read({
    sql: 'select version, name from schema_migration order by version',
    values: [],
    map: (rows) => rows.map(nameOf),
  });
}

function nameOf({ version, name }: SqlRow | { version: number; name: string }): string {
  return `${version} ${name}`;
}

function columnsOf(store: Store, sql: string): Promise<readonly string[]> {
  return store.read({
    sql,
    values: [],
    map: (rows) => rows.map((row) => text(row, 'name')).sort(),
  });
}
