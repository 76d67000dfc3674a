import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ScopeClaim } from '../../src/books/claims.ts';
import { scopeKeyOf } from '../../src/books/scope.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openReplica, openWithApps } from './support/books.ts';
import {
  type CallParts,
  callOnce,
  createBooks,
  ledgerOn,
  reservation,
  settlement,
} from './support/load.ts';
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
beforeEach(async () => {
  url = await server.database();
  proxy = await openProxy(url);
  store = await openWithApps(proxy.url, { search: 10n ** 15n });
  ledger = ledgerOn(store);
});
afterEach(async () => {
  await store.close();
  await proxy.close();
});

/** The round trips of each transaction of some work. */
async function tripsOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const from = proxy.trace.length;
  await work();
  const trips: number[] = [];
  let waits = 0;
  for (const line of proxy.trace.slice(from)) {
    if (line === '') waits += 1;
    if (line === 'commit') trips.push(waits);
    if (line === 'commit') waits = 0;
  }
  return trips;
}

const call = (parts: Partial<CallParts> = {}) =>
  callOnce(ledger, createBooks(), { app: 'search', amount: 100n, ...parts });

describe('a transaction of the ledger', () => {
  test('needs three round trips when its rows are new, and two from then on', async () => {
    await call();
    const first = await tripsOf(() => call({ userId: 'u1', key: 'k1' }));
    expect(first).toEqual([3, 2]);
    expect(await tripsOf(() => call({ userId: 'u1', key: 'k2' }))).toEqual([2, 2]);
    expect(await tripsOf(() => call())).toEqual([2, 2]);
  });

  test('needs as many for a hundred operations', async () => {
    await call();
    const many = Array.from({ length: 100 }, (_, index) => ({ key: `k${index}` }));
    const trips = await tripsOf(() => Promise.all(many.map(call)));
    expect(trips.length).toBeLessThan(10);
    expect(Math.max(...trips)).toBeLessThanOrEqual(2);
  });

  test('needs as many with more budgets, and one more with an unknown list', async () => {
    const scopes = ['group:a', 'group:b'].map((scope): ScopeClaim => {
      return { scope, period: '2026-11', cap: 10n ** 15n, mode: 'enforce' };
    });
    await call();
    expect(await tripsOf(() => call({ scopes }))).toEqual([3, 2]);
    expect(await tripsOf(() => call({ scopes }))).toEqual([2, 2]);
    const listed = reservation({ app: 'search', amount: 100n, scopes: scopes.slice(0, 1) });
    await ledger.reserve(listed, () => false);
    const added = JSON.stringify(scopes.map(scopeKeyOf));
    const sql = 'update hold set scopes = $1 where call_id = $2';
    const hold = "update budget_scope set held = held + 100 where scope = 'group:b'";
    const statements = [
      { sql, values: [added, listed.facts.callId] },
      { sql: hold, values: [] },
    ];
    await store.write(statements);
    expect(await tripsOf(() => ledger.settle(settlement(listed, 7n)))).toEqual([3]);
    const { scopes: booked } = (await store.read(selectCallRecord(listed.facts.callId))) ?? {};
    expect(booked).toBe(added);
    const elsewhere = reservation({ app: 'search', amount: 100n, scopes });
    const other = await openReplica(url);
    await ledgerOn(other).reserve(elsewhere, () => false);
    await other.close();
    expect(await tripsOf(() => ledger.settle(settlement(elsewhere, 7n)))).toEqual([3]);
  });
});

test('acquiring quota needs one round trip, and two for an unused key', async () => {
  const plan = { ratePerSecond: 50, burst: 100, requestsPerDay: 1_000 };
  const wanted = { needed: 1, owed: 0, ahead: 0, day: '', returned: 0 };
  const request = { keyId: 'key', ...plan, ...wanted };
  const acquire = async () => store.acquire?.([request], undefined);
  await acquire();
  expect(await tripsOf(acquire)).toEqual([1]);
  request.keyId = 'other';
  expect(await tripsOf(acquire)).toEqual([1, 1]);
});
