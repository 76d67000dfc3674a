import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createRuns } from '../../src/calls/runs/runs.ts';
import { startSweeper } from '../../src/ledger/sweeper.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { lockBudgets } from '../../src/store/postgres/budgets-lock.ts';
import { beforeBudgets } from '../../src/store/queries/budgets.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { adminOn, count, openHolds, openReplica, openWithApps } from './support/books.ts';
import { ids, ledgerOn, reservation } from './support/load.ts';

// A process that has opened the store, and so checked its schema, and is not yet registered on it.

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let url: string;
let store: Store;
let late: Store;
beforeEach(async () => {
  url = await server.database();
  store = await openWithApps(url, { search: 10n ** 15n });
  late = await openReplica(url);
});
afterEach(() => Promise.all([store.close(), late.close()]));

/** A process with this schema sends its heartbeat, and continues to serve. */
function begin(schemaVersion: number) {
  return startSweeper({
    ...{ store: late, ledger: ledgerOn(late), clock: systemClock, log: silentLog },
    ...{ instanceId: 'late', configHash: 'c', schemaVersion },
    ...{ isFirstInstance: false, isOneProcess: false },
    ...{ keysLiveMs: 3_600_000, keyClock: systemClock },
  });
}

function setFirst() {
  return setBudget(adminOn(store), 'all', { apps: 'all', dailyPicoUsd: 10n ** 12n }, []);
}

async function makeFirstRun() {
  const runs = createRuns({ store, clock: systemClock, ids });
  const parts = { models: undefined, userId: undefined, label: undefined, expiresInMs: 60_000 };
  const wanted = { app: 'search', parentKeyId: 'key_a', maxCostPicoUsd: 10n, ...parts };
  expect(await runs.make(wanted)).toMatchObject({ kind: 'made' });
}

const instances = 'select count(*) as n from owner';

test.each([
  { what: 'budget', make: setFirst, before: 18 },
  { what: 'run', make: makeFirstRun, before: 21 },
])('does not serve if the first $what was created in between', async ({ make, before }) => {
  await ledgerOn(store).reserve(
    { ...reservation({ app: 'search', amount: 100n, instanceId: 'dead' }), expiresAt: 0 },
    () => false,
  );
  await make();
  await expect(begin(before)).rejects.toThrow(
    `the store now contains data that needs a newer schema than ${before}; run a newer model-gateway`,
  );
  // It has ended no call without updating the call's budgets, and blocks nobody.
  expect(await openHolds(store)).toBe(1);
  expect(await count(store, instances)).toBe(0);
  await (await begin(before + 1)).stop();
});

test('waits for the first budget that is being created, which has not seen it', async () => {
  const change = new pg.Client(url);
  await change.connect();
  await change.query('begin');
  await change.query(lockBudgets);
  for (const { sql, values } of beforeBudgets(0)) {
    expect((await change.query(sql, [...values])).rowCount).toBe(1);
  }
  const begun = begin(18).then(
    () => 'serves',
    (error: unknown) => String(error),
  );
  await until(async () => (await count(store, instances)) === 1);
  await until(async () => (await count(store, waiting)) > 0);
  await change.query('commit');
  await change.end();
  expect(await begun).toContain('run a newer model-gateway');
});

const waiting = `
  select count(*) as n from pg_stat_activity
   where wait_event = 'advisory' and datname = current_database()`;

test('serves before the first budget and run, and none is created from then on', async () => {
  const sweeper = await begin(18);
  await expect(setFirst()).rejects.toThrow('nothing was changed: late runs an older version');
  await sweeper.stop();
  await setFirst();
});
