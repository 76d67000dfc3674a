import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/operations/apps/apps.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { adminOn, count, openReplica } from './support/books.ts';

let server: TestPostgres;
let stores: Readonly<Record<Store['kind'], Store>>;
beforeAll(async () => {
  server = await startPostgres();
  const postgres = await openReplica(await server.database());
  stores = { sqlite: openDirectStore(':memory:'), postgres };
  for (const store of Object.values(stores)) await createApp(adminOn(store), 'search', {});
});
afterAll(async () => {
  await Promise.all(Object.values(stores).map((store) => store.close()));
  await server.close();
});

const columns = 'id, at, actor, action, subject, before_value, after_value';
const changes = [
  "update audit_log set actor = 'nobody'",
  'delete from audit_log',
  `insert into audit_log (${columns})
   select id, at, 'nobody', action, subject, before_value, after_value from audit_log where true
   on conflict (id) do update set actor = excluded.actor`,
];

describe.each([
  ['sqlite', [...changes, 'insert or replace into audit_log select * from audit_log']],
  ['postgres', [...changes, 'truncate audit_log', 'truncate audit_log, app']],
] as const)('the audit log of %s', (kind, attempts) => {
  test.each(attempts)('only grows: %s', async (sql) => {
    const store = stores[kind];
    await expect(store.write([{ sql, values: [] }])).rejects.toThrow(
      /the audit log only grows: no line of it can be (changed|removed|replaced)/,
    );
    const own = "select count(*) as n from audit_log where actor = 'test'";
    expect(await count(store, own)).toBe(1);
  });

  test('accepts one more line', async () => {
    const store = stores[kind];
    await createApp(adminOn(store), `tutor-${kind}`, {});
    expect(await count(store, 'select count(*) as n from audit_log')).toBe(2);
  });
});
