import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { until } from '../../../../harness/until.ts';
import type { Store } from '../../src/store/port/port.ts';
import { expectBooked, openHolds, openReplica, openWithApps } from '../store/support/books.ts';
import { type Books, callMany, createBooks, ids, ledgerOn } from '../store/support/load.ts';
import { openProxy, type TcpProxy } from '../store/support/proxy.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let url: string;
let proxy: TcpProxy;
let direct: Store;
let store: Store;
let books: Books;
beforeEach(async () => {
  url = await server.database();
  direct = await openWithApps(url, { search: 10n ** 15n, tutor: 10n ** 15n });
  proxy = await openProxy(url);
  store = await openReplica(proxy.url);
  books = createBooks();
});
afterEach(async () => {
  await Promise.all([store.close(), direct.close()]);
  await proxy.close();
});

/** Enough calls to compare the ledger, whatever broke during them. */
const settledMin = 50;

/** Two replicas under load, one of them behind the proxy, until enough breaks and recoveries. */
async function load(breaksOn: () => boolean) {
  const goesOn = () => breaksOn() || books.settled.size <= settledMin;
  await Promise.all(
    [store, direct].map((of, replica) =>
      callMany({ ledger: ledgerOn(of), books, callers: 12, goesOn }, (caller, call) => ({
        app: caller % 2 === 0 ? 'search' : 'tutor',
        amount: 100n,
        userId: caller % 3 === 0 ? `u${caller}` : undefined,
        key: caller % 4 === 0 ? undefined : `k ${replica} ${caller} ${call}`,
      })),
    ),
  );
}

/** Checks the ledger. Unconfirmed reservations are released. */
async function expectAllBooked() {
  expect(books.settled.size).toBeGreaterThan(settledMin);
  await until(async () => (await openHolds(direct)) === 0);
  await expectBooked(direct, books);
}

test('a connection that breaks after COMMIT neither doubles nor loses anything', async () => {
  let cuts = 0;
  proxy.onSql = (sql, link) => {
    if (cuts >= 40 || sql !== 'commit' || ids.random() > 0.3) return;
    cuts += 1;
    link.cutAfterSending();
  };
  await load(() => cuts < 40);
  await expectAllBooked();
});

test('a connection that breaks in a transaction neither doubles nor loses anything', async () => {
  let cuts = 0;
  proxy.onSql = (_sql, link) => {
    if (cuts >= 40 || ids.random() > 0.05) return;
    cuts += 1;
    if (ids.random() < 0.5) link.cut();
    else link.cutAfterSending();
  };
  await load(() => cuts < 40);
  await expectAllBooked();
});

test('a server that ends backends at any time neither doubles nor loses anything', async () => {
  const killer = new pg.Client(url);
  await killer.connect();
  let kills = 0;
  const killing = (async () => {
    while (kills < 40) {
      const { rowCount } = await killer.query(`
        select pg_terminate_backend(pid)
          from pg_stat_activity
         where application_name = 'model-gateway' and query <> '' and state <> 'idle'
           and datname = current_database()
         order by random()
         limit 1`);
      kills += rowCount ?? 0;
      await pause(10);
    }
  })();
  await load(() => kills < 40);
  await killing;
  await killer.end();
  await expectAllBooked();
});
