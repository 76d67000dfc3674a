import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { schemaVersion } from '../../src/operations/store/operations.ts';
import type { Migration } from '../../src/store/schema/migrations.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { openSqliteEngine } from '../../src/store/sqlite/engine.ts';
import { asBefore } from '../conformance/version-before.ts';
import { adminOn } from './support/books.ts';
import { later } from './support/later-migration.ts';

const migrations = loadMigrations('sqlite');
const newest = migrations.length;

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-migrations-'));
  path = join(folder, 'gateway.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process with an exclusive lock on the file. */
function holding(): { letGo(): void } {
  const database = new DatabaseSync(path);
  database.exec('begin immediate');
  return { letGo: () => database.close() };
}

async function versionWith(known: readonly Migration[]): Promise<number> {
  const store = openDirectStore(path, { migrations: known });
  const version = await schemaVersion(store);
  await store.close();
  return version;
}

test('a migration gives up on a locked file, and is done at the next start', async () => {
  const before = asBefore(migrations);
  await versionWith(before);
  const holder = holding();
  expect(() => openSqliteEngine(path, { busyMs: 100 })).toThrow(
    /^it is locked by another process, and nothing was changed; stop that process .* start again$/,
  );
  holder.letGo();
  const database = new DatabaseSync(path);
  const steps = database.prepare('select * from schema_migration').all();
  expect(steps.map((row) => Object.keys(row))).toEqual(before.map(() => ['version', 'name']));
  database.close();
  expect(await versionWith(migrations)).toBe(newest);
});

test('startup on a locked file names it, in one line', async () => {
  await versionWith(migrations);
  const holder = holding();
  const target = { kind: 'sqlite', path } as const;
  const opening = openStore({ target, log: silentLog, onDeath: () => undefined });
  await expect(opening).rejects.toThrow(
    /^cannot open the store \/[^\n]*gateway\.db: it is locked by another process, [^\n]*$/,
  );
  holder.letGo();
});

test('a step that fails leaves none of those before it', async () => {
  const before = asBefore(migrations);
  await versionWith(before);
  const broken: Migration = { ...later({ version: newest + 1 }), sql: 'create table app (a)' };
  expect(() => openSqliteEngine(path, { migrations: [...migrations, broken] })).toThrow(
    /table app already exists/,
  );
  expect(await versionWith(before)).toBe(before.length);
  expect(await versionWith(migrations)).toBe(newest);
});

test('rebuilt tables keep their columns and their rows', async () => {
  await versionWith(migrations.slice(0, 7));
  const database = new DatabaseSync(path);
  const look = () =>
    ['idempotency', 'answer'].map((table) => ({
      columns: database.prepare('select * from pragma_table_info(?)').all(table),
      rows: database.prepare(`select * from ${table} order by call_id`).all(),
      tables: database.prepare("select name from sqlite_schema where type = 'table'").all().length,
    }));
  database.exec(`
    insert into idempotency values ('search', 'k2', 'f2', 'answered', 'call_1', 'o', 1, 1),
                                   ('search', 'k1', 'f1', 'running', 'call_2', 'o', 2, 0);
    insert into answer values ('call_1', 'search', 'k2', 200, '{}', 5)`);
  const before = look();
  expect(before.map(({ rows }) => rows.length)).toEqual([2, 1]);
  await versionWith(migrations.slice(0, 8));
  expect(look()).toEqual(before);
  database.close();
});

test('the previous version starts on a later schema, and writes to it', async () => {
  await versionWith([...migrations, later({ version: newest + 1, compatibleFrom: newest })]);
  const store = openDirectStore(path, { migrations });
  await createApp(adminOn(store), 'search', {});
  expect(await schemaVersion(store)).toBe(newest + 1);
  await store.close();
});

test('an older version than that does not start', async () => {
  await versionWith([...migrations, later({ version: newest + 1, compatibleFrom: newest + 1 })]);
  expect(() => openSqliteEngine(path)).toThrow(
    `the store has schema ${newest + 1}, but this model-gateway supports up to ${newest}; run a newer version`,
  );
});
