import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Log } from '../../src/lib/log.ts';
import { silentLog } from '../../src/lib/log.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { expectBooked, openHolds, openWithApps } from './support/books.ts';
import { callMany, createBooks, ledgerOn } from './support/load.ts';
import { openPooler } from './support/pooler.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

test('a pooler that changes connections and loses statements is supported', async () => {
  const url = await server.database();
  const direct = await openWithApps(url, { search: 10n ** 15n });
  const pooler = await openPooler(url);
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_fields, message) => void warnings.push(message) };
  const stores = await Promise.all([1, 2].map(() => openPostgresStore({ url: pooler.url, log })));
  const books = createBooks();
  let left = 400;
  const goesOn = () => left-- > 0;
  await Promise.all(
    stores.map((store, replica) =>
      callMany({ ledger: ledgerOn(store), books, callers: 8, goesOn }, (caller, call) => {
        const key = `key ${replica} ${caller} ${call}`;
        return { app: 'search', amount: 100n, userId: `u${caller}`, key };
      }),
    ),
  );
  expect(books.settled.size).toBe(400);
  expect(await openHolds(direct)).toBe(0);
  await expectBooked(direct, books);
  expect(pooler.switches()).toBeGreaterThan(10);
  expect(warnings.join()).toContain('loses prepared statements');
  await Promise.all([...stores, direct].map((store) => store.close()));
  await pooler.close();
});

test('quota is acquired through such a pooler, and granted once', async () => {
  const pooler = await openPooler(await server.database());
  const log = silentLog;
  const stores = await Promise.all([1, 2].map(() => openPostgresStore({ url: pooler.url, log })));
  const plan = { ratePerSecond: 0.001, burst: 30, requestsPerDay: 1_000 };
  const wanted = { needed: 1, owed: 0, ahead: 0, day: '', returned: 0 };
  const request = { keyId: 'key', ...plan, ...wanted };
  const granted = await Promise.all(
    Array.from({ length: 40 }, (_, index) => stores[index % 2]?.acquire?.([request], undefined)),
  );
  expect(granted.flat().reduce((sum, grant) => sum + (grant?.tokens ?? 0), 0)).toBe(30);
  expect(pooler.switches()).toBeGreaterThan(10);
  await Promise.all(stores.map((store) => store.close()));
  await pooler.close();
});
