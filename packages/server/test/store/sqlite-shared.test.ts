import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import { joinSqliteStore, openSqliteStore } from '../../src/store/sqlite/store.ts';
import { adminOn, count, expectBooked, openHolds } from './support/books.ts';
import { type CallerThread, startCallerThread } from './support/caller.ts';
import { createBooks, reservation } from './support/load.ts';

// One file, one thread that has it, and several threads that send it requests.

let folder: string;
let first: Store;
const deaths: Error[] = [];
const onDeath = (error: Error) => void deaths.push(error);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-shared-'));
  deaths.length = 0;
  first = await openSqliteStore({
    ...{ path: join(folder, 'gateway.db'), onDeath, log: silentLog, isShared: true },
  });
  await createApp(adminOn(first), 'search', { dailyBudgetPicoUsd: 10n ** 6n });
});
afterEach(async () => {
  await first.close();
  await rm(folder, { recursive: true, force: true });
});

async function further(): Promise<Store> {
  const share = await first.share?.();
  if (share === undefined) throw new Error('the store is opened to be shared');
  return joinSqliteStore(share, { onDeath, log: silentLog });
}

function holds(of: number, amount = 1n): readonly Operation[] {
  return Array.from({ length: of }, () => {
    return { kind: 'reserve', ...reservation({ app: 'search', amount }) };
  });
}

const holdsNow = { sql: 'select count(*) as n from hold', values: [] };
const readHolds = { ...holdsNow, map: ([row]: readonly { readonly n?: unknown }[]) => row?.n };

test('each thread sees its own commits, and those of the others', async () => {
  const stores = [first, await further(), await further()];
  for (const [index, store] of stores.entries()) {
    const [results, seen] = await Promise.all([store.commit(holds(2)), store.read(readHolds)]);
    expect(results).toHaveLength(2);
    expect(Number(seen)).toBe(2 * (index + 1));
  }
  await Promise.all(stores.slice(1).map((store) => store.close()));
  expect(await openHolds(first)).toBe(6);
});

test('each gets its own results of a transaction that several share', async () => {
  const stores = [first, await further(), await further()];
  // The thread is paused, so the requests of all three are there when it resumes.
  const slow = first.read({
    sql: `with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000000)
          select count(*) as n from n`,
    values: [],
    map: (rows) => rows.length,
  });
  const poisoned = { kind: 'reserve', ...reservation({ app: 'unknown', amount: 1n }) } as const;
  const batches = [
    holds(3),
    [...holds(1), { kind: 'reserve', ...reservation({ app: 'search', amount: 10n ** 7n }) }],
    [...holds(2), poisoned],
  ] as const;
  const answers = await Promise.all(
    stores.map((store, index) => store.commit(batches[index] ?? [])),
  );
  await slow;
  const kinds = answers.map((results) =>
    results.map((result) => (result.ok ? result.outcome.kind : result.kind)),
  );
  expect(kinds).toEqual([
    ['reserved', 'reserved', 'reserved'],
    ['reserved', 'refused'],
    ['reserved', 'reserved', 'invalid'],
  ]);
  expect(await openHolds(first)).toBe(6);
  await Promise.all(stores.slice(1).map((store) => store.close()));
});

test('a leaving thread sends no more requests, and the others continue', async () => {
  const other = await further();
  await other.commit(holds(1));
  await other.close();
  await expect(other.commit(holds(1))).rejects.toThrow('the store is closed');
  expect(await first.commit(holds(1))).toHaveLength(1);
  const next = await further();
  expect(await next.commit(holds(1))).toHaveLength(1);
  await next.close();
  expect(await openHolds(first)).toBe(3);
  expect(deaths).toEqual([]);
});

test('all threads receive the end of the store’s thread', async () => {
  const other = await further();
  await first.close();
  await expect(other.commit(holds(1))).rejects.toThrow();
  await expect.poll(() => deaths.length).toBe(1);
  first = await openSqliteStore({
    ...{ path: join(folder, 'gateway.db'), onDeath, log: silentLog, isShared: true },
  });
});

test('concurrent threads exceed no budget, and every call is booked once', async () => {
  const askers: CallerThread[] = [];
  for (let index = 0; index < 3; index++) {
    const share = await first.share?.();
    if (share === undefined) throw new Error('the store is opened to be shared');
    askers.push(startCallerThread(share, { calls: 400, callers: 16, amount: '1000', cost: '900' }));
  }
  const found = await Promise.all(askers.map(({ done }) => done));
  const settled = found.flatMap((asker) => asker.settled);
  const books = createBooks();
  for (const [callId, cost] of settled) books.settled.set(callId, BigInt(cost));
  expect(books.settled.size).toBe(settled.length);
  // Of 1,200 calls as many as the budget covers: each leaves a tenth of its reservation.
  expect(settled.length).toBeGreaterThan(1_000);
  expect(found.reduce((sum, { refused }) => sum + refused, 0)).toBe(1_200 - settled.length);
  const day = reservation({ app: 'search', amount: 0n }).facts.day;
  const budget = await first.read(selectBudget('search', day));
  expect(budget).toMatchObject({ held: 0n, spent: BigInt(settled.length) * 900n });
  expect(await count(first, 'select count(*) as n from call')).toBe(settled.length);
  await expectBooked(first, books);
});
