import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { startPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import type { OpenedStore } from './ledger-store.ts';
import { asBefore } from './version-before.ts';

/** Each way to open a store on PostgreSQL. */
export const postgresOpenings = {
  PostgreSQL: () => onServer({}, (url) => openPostgresStore({ url, log: silentLog })),
  'PostgreSQL, after a later service has changed the schema': () =>
    onServer({ empty: true }, async (url) => {
      const migrations = asBefore(loadMigrations('postgres'));
      const store = await openPostgresStore({ url, log: silentLog, migrating: { migrations } });
      await (await openPostgresStore({ url, log: silentLog })).close();
      return store;
    }),
} as const;

async function onServer(
  database: { readonly empty?: boolean },
  open: (url: string) => Promise<Store>,
): Promise<OpenedStore> {
  const server = await startPostgres();
  const store = await open(await server.database(database));
  return {
    store,
    async close() {
      await store.close();
      await server.close();
    },
  };
}
