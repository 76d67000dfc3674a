import { once } from 'node:events';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { type Store, StoreError } from '../../src/store/port/port.ts';
import { isStaleConnection } from '../../src/store/postgres/connection/failure.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  adminOn,
  count,
  expectBooked,
  openHolds,
  openReplica,
  openWithApps,
} from './support/books.ts';
import { type Books, callOnce, createBooks, ledgerOn } from './support/load.ts';
import { openProxy, type TcpProxy } from './support/proxy.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let url: string;
let proxy: TcpProxy;
let store: Store;
let ledger: Ledger;
let books: Books;
beforeEach(async () => {
  url = await server.database();
  proxy = await openProxy(url);
  store = await openWithApps(proxy.url, { search: 10n ** 15n });
  ledger = ledgerOn(store);
  books = createBooks();
});
afterEach(async () => {
  proxy.refuse(false);
  proxy.swallow(false);
  await store.close();
  await proxy.close();
});

const call = () => callOnce(ledger, books, { app: 'search', amount: 100n });
const apps = 'select count(*) as n from app';
const change = (cap: bigint) =>
  updateApp(adminOn(store), 'search', { dailyBudgetPicoUsd: 10n ** 15n + cap });

describe('a server that rejects connections', () => {
  test('fails reads, changes and calls, and all work again as soon as it is back', async () => {
    expect(await call()).toBe('reserved');
    proxy.refuse(true);
    await expect(count(store, apps)).rejects.toThrow(StoreError);
    await expect(change(1n)).rejects.toThrow(StoreError);
    expect(await call()).toBe('unavailable');
    proxy.refuse(false);
    expect(await count(store, apps)).toBe(1);
    await change(2n);
    await until(async () => (await call()) === 'reserved');
    await expectBooked(store, books);
  });

  test('keeps a running settlement waiting, and books it when it is back', async () => {
    const gate = Promise.withResolvers<void>();
    proxy.onSql = (sql, link) => {
      if (!sql.includes('insert into call')) return;
      // The settlement's transaction breaks here, and the server with it.
      proxy.onSql = () => undefined;
      link.cut();
      proxy.refuse(true);
      gate.resolve();
    };
    const called = call();
    await gate.promise;
    const before = proxy.refused();
    await until(() => proxy.refused() > before + 2);
    proxy.refuse(false);
    expect(await called).toBe('reserved');
    await expectBooked(store, books);
  });
});

test('a server that turns read-only, as by a failover, fails only calls and changes', async () => {
  expect(await call()).toBe('reserved');
  const name = new URL(url).pathname.slice(1);
  await operate(`alter database ${name} set default_transaction_read_only = on`);
  await endBackends();
  expect(await count(store, apps)).toBe(1);
  await expect(change(1n)).rejects.toThrow(/read-only transaction/);
  expect(await call()).toBe('unavailable');
  await operate(
    `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
  );
  await until(async () => (await call()) === 'reserved');
  await until(() =>
    change(2n).then(
      () => true,
      () => false,
    ),
  );
  await expectBooked(store, books);
});

test('a reservation with an unknown commit is canceled, and costs nothing', async () => {
  expect(await call()).toBe('reserved');
  const parts = { app: 'search', amount: 100n, userId: 'u1', key: 'k1' };
  proxy.onSql = (sql, link) => {
    if (sql !== 'commit') return;
    proxy.onSql = () => undefined;
    link.cutAfterSending();
    proxy.refuse(true);
  };
  expect(await callOnce(ledger, books, parts)).toBe('indeterminate');
  const direct = await openReplica(url);
  await until(async () => (await openHolds(direct)) === 1);
  proxy.refuse(false);
  await until(async () => (await openHolds(direct)) === 0);
  const free = "select count(*) as n from call where code = 'INTERNAL' and basis = 'free'";
  expect(await count(direct, free)).toBe(1);
  expect(await count(direct, 'select estimated as n from budget_day')).toBe(0);
  // Its key is free again, although the instance of its call lives.
  expect(await callOnce(ledger, books, parts)).toBe('reserved');
  await expectBooked(direct, books);
  await direct.close();
});

test('a network that drops everything fails reads, changes and calls in the end', async () => {
  expect(await call()).toBe('reserved');
  expect(await count(store, apps)).toBe(1);
  proxy.swallow(true);
  const [read, changed, called] = await Promise.all([
    count(store, apps).catch((error: unknown) => error),
    change(1n).catch((error: unknown) => error),
    call(),
  ]);
  expect(read).toBeInstanceOf(StoreError);
  expect(changed).toBeInstanceOf(StoreError);
  expect(called).toBe('unavailable');
  proxy.swallow(false);
  expect(await count(store, apps)).toBe(1);
  await until(async () => (await call()) === 'reserved');
});

test('connections that the server ends while they rest are replaced without an error', async () => {
  for (let round = 0; round < 5; round++) {
    expect(await call()).toBe('reserved');
    await Promise.all([count(store, apps), count(store, apps), change(BigInt(round))]);
    await endBackends();
    expect(await count(store, apps)).toBe(1);
    await change(BigInt(round));
  }
  await expectBooked(store, books);
});

test('a connection that breaks in an operator’s change ends only that change', async () => {
  const bumps = 'select value as n from revision';
  const before = await count(store, bumps);
  const statements = ['update app', 'update budget_day', 'insert into audit_log'];
  for (const [index, statement] of statements.entries()) {
    proxy.onSql = (sql, link) => {
      if (!sql.includes(statement)) return;
      proxy.onSql = () => undefined;
      link.cut();
    };
    // Nothing was committed, so the store makes the change again by itself.
    await change(BigInt(index + 1));
  }
  expect(await count(store, bumps)).toBe(before + 3);
  proxy.onSql = (sql, link) => {
    if (sql === 'commit') link.cutAfterSending();
  };
  await expect(change(6n)).rejects.toThrow(StoreError);
  proxy.onSql = () => undefined;
  await until(async () => (await count(store, bumps)) === before + 4);
  const lines = "select count(*) as n from audit_log where action = 'app.update'";
  expect(await count(store, lines)).toBe(4);
});

test('a transaction that the server ended between two statements may be made again', async () => {
  const client = new pg.Client(url);
  const broken = once(client, 'error');
  await client.connect();
  // If a process gets no processor between them, the server ends the session.
  await client.query("begin; set local idle_in_transaction_session_timeout to '1ms'");
  expect(await broken).toSatisfy(([error]) => isStaleConnection(error));
  const later = client.query('select 1').catch((error: unknown) => error);
  expect(await later).toSatisfy(isStaleConnection);
  await client.end();
});

/** Waits until they are gone: a connection that dies later would not end while it rests. */
function endBackends(): Promise<void> {
  return operate(
    'select pg_terminate_backend(pid, 60000) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
  );
}

async function operate(sql: string) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test('opening it again while the server is unreachable fails in one line', async () => {
  proxy.refuse(true);
  await expect(openReplica(proxy.url)).rejects.toThrow(
    /^cannot open the store \w+ on [\w.]+:\d+: [^\n]+$/,
  );
});
