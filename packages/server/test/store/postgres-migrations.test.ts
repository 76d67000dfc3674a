import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Log } from '../../src/lib/log.ts';
import { silentLog } from '../../src/lib/log.ts';
import { text } from '../../src/store/columns.ts';
import { loadMigrations } from '../../src/store/migrations.ts';
import type { SqlRow, Store } from '../../src/store/port.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { openEngineStore } from '../conformance/engine-store.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { count, openReplica } from './support/books.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres(['fsync=off']);
});
afterAll(() => server.close());

test('several services that start at once on an empty database migrate it once', async () => {
  const url = await server.database();
  const stores = await Promise.all([1, 2, 3, 4].map(() => openReplica(url)));
  const [store] = stores;
  if (store === undefined) throw new Error('no store was opened');
  expect(await migrationsOf(store)).toEqual(loadMigrations().map(nameOf));
  expect(await count(store, 'select count(*) as n from revision')).toBe(1);
  await Promise.all(stores.map((one) => one.close()));
});

test('a store of a later version is refused in one line, and left as it is', async () => {
  const url = await server.database();
  const store = await openReplica(url);
  const later = "insert into schema_migration (version, name) values (9999, 'later')";
  await store.write([{ sql: later, values: [] }]);
  await expect(openReplica(url)).rejects.toThrow(
    /^the store has schema 9999 and this model-gateway knows \d+: run a newer one$/,
  );
  // A service that was there before still runs on it.
  expect(await count(store, 'select count(*) as n from app')).toBe(0);
  await store.close();
});

test('both databases have the same migrations, tables and columns', async () => {
  const postgres = await openReplica(await server.database());
  const sqlite = openEngineStore(':memory:');
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
      where tables.type = 'table'`,
  );
  expect(ofPostgres).toEqual(ofSqlite);
  await Promise.all([postgres.close(), sqlite.close()]);
});

test('a server that may lose what it has confirmed is warned about', async () => {
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (fields) => void warnings.push(fields) };
  const store = await openPostgresStore({ url: await server.database(), log });
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
