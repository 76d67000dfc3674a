import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type Sweeper, startSweeper } from '../../src/ledger/sweeper.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import { type WatchedStore, watchStore } from '../support/watched-store.ts';
import { openHolds, openWithApps } from './support/books.ts';
import { ledgerOn, reservation } from './support/load.ts';
import { openProxy, type TcpProxy } from './support/proxy.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let clock: TestClock;
let proxy: TcpProxy;
let direct: Store;
let store: Store;
let ledger: Ledger;
let sweeper: Sweeper;
beforeEach(async () => {
  const url = await server.database();
  direct = await openWithApps(url, { search: 10n ** 15n });
  proxy = await openProxy(url);
  let opened: WatchedStore | undefined;
  clock = createTestClock({ pending: () => opened?.pending() });
  opened = watchStore(await openPostgresStore({ url: proxy.url, log: silentLog, clock }));
  // In virtual time the server's clock has no meaning.
  const { clock: _, ...virtual } = opened;
  store = virtual;
  ledger = ledgerOn(store);
  sweeper = await startSweeper({
    ...{ store, ledger, clock, log: silentLog, instanceId: 'me', configHash: 'c' },
    schemaVersion: 19,
    ...{ isFirstInstance: false, isOneProcess: false },
    ...{ keysLiveMs: 3_600_000, keyClock: clock },
  });
});
afterEach(async () => {
  proxy.refuse(false);
  await clock.run(sweeper.stop());
  await Promise.all([store.close(), direct.close()]);
  await proxy.close();
});

/** A running call of another process, which has just sent a heartbeat. */
async function callOfOther() {
  await direct.write([seen({ id: 'other', seenAt: clock.now(), configHash: 'c' })]);
  const made = reservation({ app: 'search', amount: 100n, key: 'k1', instanceId: 'other' });
  const now = clock.now();
  await ledgerOn(direct).reserve({ ...made, now, expiresAt: now + 300_000 }, () => false);
}

async function claim() {
  const made = reservation({ app: 'search', amount: 100n, key: 'k1', instanceId: 'me' });
  const outcome = await ledger.reserve({ ...made, now: clock.now() }, () => false);
  return outcome?.kind;
}

test('without heartbeats a process is dead: its call ends, and its key is taken over', async () => {
  await callOfOther();
  await clock.advance(8_000);
  expect(await claim()).toBe('attach');
  expect(await sweeper.sweep()).toBe(0);
  await clock.advance(4_000);
  expect(await claim()).toBe('reserved');
  await sweeper.sweep();
  const ofOther = "select count(*) as n from hold where owner = 'other'";
  expect(await store.read({ sql: ofOther, values: [], map: ([row]) => row?.n })).toBe(0n);
});

test('an instance that was cut off gives others time for a heartbeat', async () => {
  await callOfOther();
  proxy.refuse(true);
  await clock.advance(30_000);
  proxy.refuse(false);
  // Neither its own heartbeat nor the other's is due yet.
  expect(await claim()).toBe('attach');
  expect(await sweeper.sweep()).toBe(0);
  await clock.advance(3_000);
  expect(await claim()).toBe('attach');
  expect(await sweeper.sweep()).toBe(0);
  expect(await openHolds(direct)).toBe(1);

  await clock.advance(20_000);
  expect(await openHolds(direct)).toBe(0);
  expect(await claim()).toBe('reserved');
});
