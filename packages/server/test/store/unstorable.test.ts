import { afterAll, beforeAll, expect, test } from 'vitest';
import { caughtRefusal } from '../../src/ingress/exchange/refusal.ts';
import { silentLog } from '../../src/lib/log.ts';
import { consoleErrorOf } from '../../src/operations/context/console-error.ts';
import type { Store } from '../../src/store/port/port.ts';
import { UnstorableError } from '../../src/store/port/port.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';

let postgres: TestPostgres;
let store: Store;
beforeAll(async () => {
  postgres = await startPostgres();
  store = await openPostgresStore({ url: await postgres.database(), log: silentLog });
});
afterAll(async () => {
  await store.close();
  await postgres.close();
});

const caught = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was read'),
    (error) => error,
  );

test.each([
  ['a text of another encoding (22021)', "select convert_from('\\x00', 'UTF8') where $1 = ''", ''],
  ['U+0000 within JSON (22P05)', "select $1::jsonb ->> 'a'", '{"a":"\\u0000"}'],
])('PostgreSQL’s error for %s is a fault of the request', async (_name, sql, value) => {
  for (const read of [store.read, store.readForOperator]) {
    const error = await caught(read({ sql, values: [value], map: () => 'read' }));
    expect(error).toBeInstanceOf(UnstorableError);
  }
  const error = await caught(store.write([{ sql, values: [value] }]));
  expect(error).toBeInstanceOf(UnstorableError);
});

test('it is INVALID to callers and to the console, not an unreachable store', () => {
  const message = 'a value contains the character U+0000; remove it';
  expect(consoleErrorOf(new UnstorableError())).toMatchObject({ code: 'INVALID', message });
  const log = Object.create(null);
  expect(caughtRefusal(new UnstorableError(), log)).toMatchObject({
    ...{ code: 'INVALID', message: 'The request contains the character U+0000; remove it.' },
  });
});
