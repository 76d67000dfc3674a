import { silentLog } from '../../src/lib/log.ts';
import { loadMigrations } from '../../src/store/migrations.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { startPostgres } from '../support/postgres.ts';
import { ledgerStoreConformance } from './ledger-store.ts';
import { asBefore } from './version-before.ts';

ledgerStoreConformance('PostgreSQL', async () => {
  const server = await startPostgres();
  const store = await openPostgresStore({ url: await server.database(), log: silentLog });
  return {
    store,
    async close() {
      await store.close();
      await server.close();
    },
  };
});

ledgerStoreConformance('PostgreSQL, after a later service has changed the schema', async () => {
  const server = await startPostgres();
  const url = await server.database({ empty: true });
  const migrations = asBefore(loadMigrations('postgres'));
  const store = await openPostgresStore({ url, log: silentLog, migrating: { migrations } });
  await (await openPostgresStore({ url, log: silentLog })).close();
  return {
    store,
    async close() {
      await store.close();
      await server.close();
    },
  };
});
