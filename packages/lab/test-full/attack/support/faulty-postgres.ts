import pg from 'pg';
import { openStore } from '../../../../server/src/compose/open-store.ts';
import { silentLog } from '../../../../server/src/lib/log.ts';

export async function makeFaultyPostgres(url: string, faults: string): Promise<void> {
  const onDeath = (error: Error) => {
    throw error;
  };
  const target = { kind: 'postgres', url } as const;
  const store = await openStore({ target, onDeath, log: silentLog });
  await store.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(faults);
  await client.end();
}
