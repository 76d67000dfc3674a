import { silentLog } from '../../src/lib/log.ts';
import { openPostgresStore } from '../../src/store/postgres/store.ts';
import { startPostgres } from '../support/postgres.ts';
import { ledgerStoreConformance } from './ledger-store.ts';

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
