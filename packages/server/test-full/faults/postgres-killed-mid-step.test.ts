import pg from 'pg';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { beginRollups, selectRollupState } from '../../src/store/sums/rollups.ts';
import { count } from '../../test/store/support/books.ts';
import { startServed } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { quickRounds } from './support/quick-rounds.ts';
import { expectClean, expectReported, seedCalls } from './support/seeded-calls.ts';

const stores = openReplicaStores();
const waiting = "select count(*) as n from pg_stat_activity where wait_event_type = 'Lock'";

test('a step of rollups that is killed halfway leaves nothing behind', async () => {
  const { store, folder, databaseUrl } = await stores.onPostgres();
  const calls = await seedCalls(store, {
    ...{ fromMs: systemClock.now() - 30 * 3_600_000, everyMs: 60_000, count: 600 },
  });
  await store.write(beginRollups(''));
  const environment = { ...quickRounds, MODEL_GATEWAY_STORE: databaseUrl };
  const holder = new pg.Client(databaseUrl);
  await holder.connect();
  await holder.query('begin');
  // A step has moved the watermark and written the rollups of apps before those of users.
  await holder.query('lock table usage_user_month in share row exclusive mode');
  const served = await startServed(['serve'], { cwd: folder, environment });
  await until(async () => (await count(store, waiting)) > 0);
  await served.end('SIGKILL');
  expect(await store.read(selectRollupState)).toMatchObject({ rolledUntil: '' });
  await holder.query('rollback');
  await holder.end();
  await until(async () => (await count(store, waiting)) === 0);
  expect(await store.read(selectRollupState)).toMatchObject({ rolledUntil: '' });
  expect(await count(store, 'select count(*) as n from usage_split')).toBe(0);
  await expectReported(store, calls);
  await expectClean(store);
});
