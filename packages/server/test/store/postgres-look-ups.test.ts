import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { selectKeyStates } from '../../src/store/queries/ledger.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openReplica } from './support/books.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

test('keys of waiting requests are looked up, not searched', async () => {
  const url = await server.database();
  await (await openReplica(url)).close();
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`
    insert into idempotency (app, key_hash, fingerprint, state, call_id, owner, expires_at,
      bad_outputs)
    select 'search', md5(number::text), 'f', 'running', 'call_' || number, 'o', 0, 0
      from generate_series(1, 20000) as number`);
  await client.query('analyze idempotency');
  const keys = Array.from({ length: 20 }, (_, index) => ({
    app: 'search',
    keyHash: index === 0 ? 'c4ca4238a0b923820dcc509a6f75849b' : `none ${index}`,
  }));
  const { sql, values, map } = selectKeyStates(keys);
  const plan = await client.query(`explain ${sql}`, [...values]);
  const steps = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(steps).toContain('idempotency_pkey');
  expect(steps).not.toContain('Seq Scan on idempotency');
  const found = await client.query(sql, [...values]);
  expect(map(found.rows)).toEqual([{ app: 'search', callId: 'call_1', state: 'running' }]);
  await client.end();
});
