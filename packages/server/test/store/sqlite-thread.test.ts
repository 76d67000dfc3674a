import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Operation } from '../../src/books/operations.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import type { Query, SqlValue, Store, StoreError } from '../../src/store/port/port.ts';
import { createClient } from '../../src/store/sqlite/client.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { adminOn, openHolds } from './support/books.ts';
import { reservation } from './support/load.ts';

// The thread that has the database: its requests when it ends, and the order of its responses.

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-thread-'));
  path = join(folder, 'gateway.db');
  const store = await open();
  await createApp(adminOn(store), 'search', { dailyBudgetPicoUsd: 10n ** 15n });
  await store.close();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): Promise<Store> {
  const onDeath = (error: Error) => expect.unreachable(error.message);
  return openSqliteStore({ path, onDeath, log: silentLog });
}

/** A client of the thread, with the thread. */
async function openThread() {
  const worker = new Worker(new URL('../../src/store/sqlite/worker.ts', import.meta.url), {
    workerData: { path, keys: [] },
  });
  await once(worker, 'message');
  const deaths: StoreError[] = [];
  const onDeath = (error: StoreError) => void deaths.push(error);
  const client = createClient(worker, { onDeath, log: silentLog });
  return { client, worker, deaths };
}

/** Delays the thread before later requests. */
const slow: Query<number> = {
  sql: `with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000)
        select count(*) as rows from n`,
  values: [],
  map: (rows) => rows.length,
};

function holds(count: number): readonly Operation[] {
  return Array.from({ length: count }, () => {
    return { kind: 'reserve', ...reservation({ app: 'search', amount: 1_000n }) };
  });
}

test('a thread that ends fails all its requests, once', async () => {
  const { client, worker, deaths } = await openThread();
  const asked = [
    client.read(slow),
    client.commit(holds(3)),
    client.commit(holds(2)),
    client.write([{ sql: 'delete from app', values: [] }]),
  ];
  const all = Promise.allSettled(asked);
  await worker.terminate();
  for (const each of (await all).slice(1)) {
    expect(each).toMatchObject({
      status: 'rejected',
      reason: { message: "the store's thread has ended" },
    });
  }
  expect(deaths.map(({ message }) => message)).toEqual(["the store's thread has ended"]);
  await expect(client.commit(holds(1))).rejects.toThrow('the store is closed');
  const store = await open();
  expect(await openHolds(store)).toBe(0);
  await store.close();
});

test('wherever a thread is killed, its responses are in the database', async () => {
  let confirmed = 0;
  for (let turn = 0; turn < 12; turn++) {
    const { client, worker } = await openThread();
    const commits = Array.from({ length: turn }, async () => {
      const results = await client.commit(holds(2));
      confirmed += results.filter(({ ok }) => ok).length;
    });
    const all = Promise.allSettled(commits);
    await commits[Math.floor(turn / 3)]?.catch(() => undefined);
    await worker.terminate();
    await all;
  }
  const store = await open();
  expect(confirmed).toBeGreaterThan(0);
  expect(await openHolds(store)).toBeGreaterThanOrEqual(confirmed);
  await store.close();
});

test('requests are answered in their order', async () => {
  const { client } = await openThread();
  const counts = await Promise.all(
    Array.from({ length: 5 }, async (_, turn) => {
      const [, , count] = await Promise.all([
        client.commit(holds(3)),
        client.commit(holds(turn + 1)),
        client.read({
          sql: 'select count(*) as n from hold',
          values: [],
          map: ([row]) => Number(row?.n),
        }),
      ]);
      return count;
    }),
  );
  expect(counts).toEqual([4, 9, 15, 22, 30]);
  await client.close();
});

test('a request that cannot be sent is rejected by itself', async () => {
  const { client, deaths } = await openThread();
  const values = new Proxy<SqlValue[]>([], {});
  await expect(client.read({ ...slow, values })).rejects.toThrow('could not be cloned');
  expect(await client.read(slow)).toBe(1);
  expect(await client.commit(holds(1))).toHaveLength(1);
  await client.close();
  expect(deaths).toEqual([]);
});
