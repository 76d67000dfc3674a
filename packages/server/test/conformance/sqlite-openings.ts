import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { openCommandStore, openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { joinSqliteStore, openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { OpenedStore } from './ledger-store.ts';
import { asBefore } from './version-before.ts';

/** Each way to open a store on SQLite. */
export const sqliteOpenings = {
  'SQLite on its thread': () =>
    onDisk((path) => openSqliteStore({ path, onDeath, log: silentLog })),
  'SQLite on the thread of another one': () =>
    onDisk(async (path) => {
      const first = await openSqliteStore({ path, onDeath, log: silentLog, isShared: true });
      const share = await first.share?.();
      if (share === undefined) throw new Error('the store is opened to be shared');
      const store = joinSqliteStore(share, { onDeath, log: silentLog });
      return { ...store, close: () => store.close().then(first.close) };
    }),
  'SQLite without a thread': () => onDisk(async (path) => openDirectStore(path)),
  'SQLite of a command': () => onDisk(async (path) => openCommandStore({ path, log: silentLog })),
  'SQLite, after a later service has changed the schema': () =>
    onDisk(async (path) => {
      const store = openDirectStore(path, { migrations: asBefore(loadMigrations('sqlite')) });
      await openDirectStore(path).close();
      return store;
    }),
} as const;

function onDeath(error: Error) {
  throw error;
}

async function onDisk(open: (path: string) => Promise<Store>): Promise<OpenedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-conformance-'));
  const store = await open(join(folder, 'gateway.db'));
  return {
    store,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
