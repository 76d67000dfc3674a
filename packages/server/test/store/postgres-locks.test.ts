import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectResult } from '../../src/store/queries/ledger.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { count, openReplica, openWithApps } from './support/books.ts';
import { callOnce, createBooks, ledgerOn, reservation, settlement } from './support/load.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let url: string;
let store: Store;
let other: Store;
let ledger: Ledger;
beforeEach(async () => {
  url = await server.database();
  const caps = { search: 10n ** 15n, tutor: 10n ** 15n };
  store = await openWithApps(url, caps);
  other = await openReplica(url);
  ledger = ledgerOn(store);
});
afterEach(() => Promise.all([store.close(), other.close()]));

/** Locks rows in a separate transaction. */
async function holding(sql: string): Promise<{ letGo(): Promise<void> }> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('begin');
  await client.query(sql);
  return {
    async letGo() {
      await client.query('rollback');
      await client.end();
    },
  };
}

const call = (parts: { app?: string; userId?: string; key?: string } = {}) =>
  callOnce(ledger, createBooks(), { app: 'search', amount: 100n, ...parts });

describe('a row that another transaction has locked', () => {
  test('of a wallet makes its calls busy, and no others of the batch', async () => {
    await call({ userId: 'u1' });
    const holder = await holding("select * from wallet_topup where user_id = 'u1' for update");
    const users = ['u1', 'u2', 'u1', 'u3'];
    const came = await Promise.all(users.map((userId) => call({ userId })));
    expect(came).toEqual(['conflict', 'reserved', 'conflict', 'reserved']);
    await holder.letGo();
    expect(await call({ userId: 'u1' })).toBe('reserved');
  });

  test('of a key makes a settlement wait, and its result is stored', async () => {
    const reserved = reservation({ app: 'search', amount: 100n, key: 'k1' });
    await ledger.reserve(reserved, () => false);
    const holder = await holding("select * from idempotency where key_hash = 'k1' for update");
    const settled = ledger.settle(settlement(reserved, 50n));
    expect(await call()).toBe('reserved');
    expect(await count(other, 'select count(*) as n from call')).toBe(1);
    await holder.letGo();
    await settled;
    const result = await other.read(selectResult(reserved.facts.callId));
    expect(result?.body).toBe(reserved.facts.callId);
  });

  test('of a budget fails only the calls of its app', async () => {
    await Promise.all([call(), call({ app: 'tutor' })]);
    const holder = await holding("select * from budget_day where app = 'tutor' for update");
    const apps = ['tutor', 'search', 'tutor', 'search'];
    const came = await Promise.all(apps.map((app) => call({ app })));
    expect(came).toEqual(['unavailable', 'reserved', 'unavailable', 'reserved']);
    await holder.letGo();
    expect(await call({ app: 'tutor' })).toBe('reserved');
  });
});

test('a settlement without reservation and wallet is booked all the same', async () => {
  await call();
  const lost = reservation({ app: 'search', amount: 100n, userId: 'unknown', key: 'k-unknown' });
  await ledger.settle(settlement(lost, 50n));
  expect(await count(store, "select count(*) as n from call where basis = 'orphan'")).toBe(1);
});

test('no transaction has its plans compiled, which would take seconds under locks', async () => {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('create table seen (what text, jit text)');
  await client.query(`
    create function see() returns trigger language plpgsql as $$
    begin insert into seen values (tg_op, current_setting('jit')); return new; end $$`);
  await client.query('create trigger see after insert on call for each row execute function see()');
  await callOnce(ledger, createBooks(), { app: 'search', amount: 100n });
  const change = "insert into seen values ('change', current_setting('jit'))";
  await store.write([{ sql: change, values: [] }]);
  const { rows } = await client.query('select distinct what, jit from seen order by what');
  await client.end();
  expect(rows).toEqual([
    { what: 'INSERT', jit: 'off' },
    { what: 'change', jit: 'off' },
  ]);
});
