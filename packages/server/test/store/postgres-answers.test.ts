import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { loadMigrations } from '../../src/store/schema/migrations.ts';
import { insertOne } from '../../src/store/schema/row-statement.ts';
import { results } from '../../src/store/schema/tables.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { count, openReplica } from './support/books.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const insert = insertOne(results);

/** Like sealed responses: nothing in them repeats, so a server cannot compress them. */
function bodyOf(characters: number): string {
  return randomBytes(characters).toString('base64url').slice(0, characters);
}

async function keep(store: Store, callId: string, body: string) {
  const row = { callId, app: 'search', keyHash: callId, dialect: 'gateway', encoderVersion: 1 };
  await store.write([{ sql: insert.sql, values: [...insert.bind({ ...row, body, at: 1 })] }]);
}

function bodiesIn(store: Store): Promise<readonly string[]> {
  return store.read({
    sql: 'select body from result order by call_id',
    values: [],
    map: (rows) => rows.map(({ body }) => String(body)),
  });
}

/** The data next to the rows, in pieces. */
function bytesAside(store: Store): Promise<number> {
  return count(
    store,
    "select pg_relation_size(reltoastrelid) as n from pg_class where oid = 'result'::regclass",
  );
}

test('a response of up to half a page is in its row, and older ones stay whole', async () => {
  const url = await server.database({ empty: true });
  const migrations = loadMigrations('postgres').filter(({ version }) => version < 37);
  const before = await openPostgresStore({ url, log: silentLog, migrating: { migrations } });
  const old = bodyOf(2_600);
  await keep(before, 'call_0', old);
  const aside = await bytesAside(before);
  expect(aside).toBeGreaterThan(0);

  const store = await openReplica(url);
  const bodies = [1_000, 2_600, 3_800].map(bodyOf);
  for (const [index, body] of bodies.entries()) await keep(store, `call_1${index}`, body);
  // The previous version continues, and its responses are stored like this one's.
  const another = bodyOf(2_600);
  await keep(before, 'call_20', another);
  expect(await bytesAside(store)).toBe(aside);

  const long = bodyOf(9_000);
  await keep(store, 'call_30', long);
  expect(await bytesAside(store)).toBeGreaterThan(aside);
  const all = [old, ...bodies, another, long];
  expect(await bodiesIn(store)).toEqual(all);
  expect(await bodiesIn(before)).toEqual(all);
  await before.close();
  await store.close();
});
