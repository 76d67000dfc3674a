import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordMaximumCosts } from '../../src/ledger/roller.ts';
import { rollUp } from '../../src/ledger/rollups.ts';
import { createIds, firstCallIdAt } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { anyCall } from '../../src/operations/calls/find-calls.ts';
import { findMostExpensive } from '../../src/operations/calls/most-expensive-calls.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { operationsOf } from '../conformance/operations.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

const hourMs = 3_600_000;

describe.each(storeKinds)('the most expensive calls on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let clock: TestClock;
  let admin: AdminContext;
  /** The number of statements that were read, and the duration of each. */
  let reads = 0;
  let readMs = 0;
  let nowMs = 0;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const url = await postgres?.database();
    store =
      url === undefined
        ? openDirectStore(':memory:')
        : await openPostgresStore({ url, log: silentLog });
    clock = createTestClock();
    nowMs = clock.now();
    const { clock: _server, ...rest } = store;
    const watched: Store = {
      ...rest,
      async readForOperator(query) {
        reads += 1;
        await clock.advance(readMs);
        return store.readForOperator(query);
      },
    };
    admin = createAdminContext({
      ...{ store: watched, clock, ids: createIds(clock), company: 'acme', adminEmail: undefined },
      actor: 'test',
    });
    await createApp(admin, 'search', {});
    // One an hour, the newest two hours ago, the older the more expensive.
    for (let hour = 2; hour <= 30; hour++) {
      const operations = operationsOf({
        ...{ app: 'search', userId: undefined, granted: undefined },
        now: nowMs - hour * hourMs,
      });
      const id = firstCallIdAt(nowMs - hour * hourMs).padEnd(31, '0');
      const cost = BigInt(hour);
      const booked = await store.commit([
        operations.reserve(id, cost),
        operations.settle(id, cost),
      ]);
      for (const result of booked) expect(result).toMatchObject({ ok: true });
    }
  });
  afterAll(async () => {
    await store.close();
    await postgres?.close();
  });

  async function findTop(
    more: Partial<Parameters<typeof findMostExpensive>[1]> = {},
    stepRows?: number,
  ) {
    reads = 0;
    const { calls, unsearched } = await findMostExpensive(
      admin,
      { ...anyCall, limit: 2, ...more },
      stepRows,
    );
    return { costs: calls.map(({ costUsd }) => costUsd), unsearched };
  }

  const usd = (...hours: readonly number[]) => hours.map((hour) => formatUsd(BigInt(hour)));

  test('without the index they are searched for 2 s, and the rest is reported', async () => {
    readMs = 300;
    const { costs, unsearched } = await findTop({}, 3);
    expect(costs).toEqual(usd(10, 9));
    expect(unsearched).toEqual({
      ...{ since: null, atMostUsd: null },
      until: new Date(nowMs - 10 * hourMs).toISOString(),
    });
    const since = nowMs - 20 * hourMs;
    expect((await findTop({ since }, 3)).unsearched?.since).toBe(new Date(since).toISOString());
    readMs = 0;
    expect(await findTop({}, 3)).toEqual({ costs: usd(30, 29), unsearched: null });
  });

  test('with the index few are read, and the maximum of the others is returned', async () => {
    const parts = { store, clock: { ...clock, now: () => nowMs } };
    await rollUp(parts);
    await recordMaximumCosts(parts);
    expect(await findTop()).toEqual({ costs: usd(30, 29), unsearched: null });
    // The watermarks, adjustments, index rows, two reads for each of two, and open calls.
    expect(reads).toBeLessThanOrEqual(8);
    expect(await findTop({ until: nowMs - 20 * hourMs, since: nowMs - 25 * hourMs })).toEqual({
      ...{ costs: usd(25, 24), unsearched: null },
    });
    readMs = 500;
    const { costs, unsearched } = await findTop({ limit: 9 });
    readMs = 0;
    expect(costs[0]).toBe(formatUsd(30n));
    expect(costs.length).toBeLessThan(9);
    expect(unsearched?.atMostUsd).toBe(formatUsd(BigInt(30 - costs.length)));
  });

  test('calls that cost nothing, or less than requested, are excluded', async () => {
    expect((await findTop({ minPicoUsd: 30n })).costs).toEqual(usd(30));
    expect(await findTop({ minPicoUsd: 31n })).toEqual({ costs: [], unsearched: null });
  });

  test('an app that is not registered is rejected', async () => {
    await expect(findTop({ app: 'nobody' })).rejects.toThrow('unknown app nobody');
  });
});
