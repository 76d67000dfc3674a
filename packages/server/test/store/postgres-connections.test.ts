import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Query } from '../../src/store/port/port.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openWithApps } from './support/books.ts';
import { callOnce, createBooks, ledgerOn } from './support/load.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const slow: Query<unknown> = { sql: 'select pg_sleep(0.2)', values: [], map: (rows) => rows };
const operations = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

test('a replica opens as many connections as documented, whatever its load', async () => {
  const url = await server.database();
  const store = await openWithApps(url, { search: 10n ** 15n });
  const ledger = ledgerOn(store);
  const request = {
    ...{ keyId: 'key', ratePerSecond: 50, burst: 100, requestsPerDay: 1_000 },
    ...{ needed: 1, owed: 0, ahead: 0, day: '2026-11-21', returned: 0 },
  };
  const asked = Array.from({ length: 12 }, (_, index) => [
    store.read(slow),
    store.readForOperator(slow),
    store.read({ ...slow, isLong: true }),
    store.acquire?.([request], undefined),
    callOnce(ledger, createBooks(), { app: 'search', amount: 100n, key: `k${index}` }),
  ]).flat();
  const settled = await Promise.allSettled(asked);
  // On a busy machine a query may wait too long for a connection: it opens no other one.
  const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  for (const error of refused) expect(String(error)).toContain('timeout exceeded when trying to');
  const watcher = new pg.Client({ connectionString: url, application_name: 'watcher' });
  await watcher.connect();
  const { rows } = await watcher.query<{ name: string; n: string }>(`
    select application_name as name, count(*) as n from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend'
       and pid <> pg_backend_pid() group by 1 order by 1`);
  await watcher.end();
  await store.close();
  expect(rows).toEqual([
    { name: 'model-gateway', n: '6' },
    { name: 'model-gateway-readings', n: '2' },
  ]);
  expect(operations).toContain(
    'Each replica uses at most 8 connections, 2 of them (`model-gateway-readings`)',
  );
});
