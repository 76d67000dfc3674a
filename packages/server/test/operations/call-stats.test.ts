import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRecord } from '../../src/books/rows.ts';
import { createIds, firstCallIdAt } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { readCallStats } from '../../src/operations/calls/call-stats.ts';
import { findCalls } from '../../src/operations/calls/find-calls.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import type { Store } from '../../src/store/port/port.ts';
import type { CallFilter } from '../../src/store/queries/call-search.ts';
import { insertOne } from '../../src/store/schema/row-statement.ts';
import { attempts, calls } from '../../src/store/schema/tables.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { operationsOf, search } from '../conformance/operations.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const every: CallFilter = {
  ...{ app: undefined, userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
};

describe.each(storeKinds)('calls are counted on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let clock: TestClock;
  let admin: AdminContext;
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
        await clock.advance(readMs);
        return store.readForOperator(query);
      },
    };
    admin = createAdminContext({
      ...{ store: watched, clock, ids: createIds(clock), company: 'acme', adminEmail: undefined },
      actor: 'test',
    });
    await createApp(admin, 'search', {});
    // The newest began a minute ago and took 10 ms, the oldest 20 minutes ago and took 200 ms.
    for (let n = 1; n <= 20; n++) {
      await put(n, n % 4 === 0 ? { app: 'tutor', code: 'TIMEOUT', platform: 'other' } : {});
    }
  });
  afterAll(async () => {
    await store.close();
    await postgres?.close();
  });

  async function put(minutes: number, more: Partial<CallRecord>) {
    const at = nowMs - minutes * minuteMs;
    const given = { app: 'search', userId: undefined, granted: undefined, now: at };
    const { facts, end } = operationsOf(given).settle(idOf(minutes), 5n);
    const none = { walletGrant: 0n, walletTopup: 0n, walletHeld: undefined, scopes: undefined };
    const times = {
      endedAt: facts.startedAt + minutes * 10,
      firstMs: minutes > 10 ? undefined : minutes,
    };
    const insert = insertOne(calls);
    const record = {
      ...{ ...facts, ...end, ...none, ...times, held: 9n, heldAtEnd: 9n },
      ...{ instanceId: undefined, ...more },
    };
    await store.write([{ sql: insert.sql, values: insert.bind(record) }]);
  }

  function idOf(minutes: number) {
    return firstCallIdAt(nowMs - minutes * minuteMs - 20).padEnd(31, '0');
  }

  const stats = (filter: Partial<CallFilter>, stepRows?: number) =>
    readCallStats(admin, { ...every, ...filter }, stepRows);

  test('all of a day, in steps as at once', async () => {
    const all = await stats({});
    expect(all).toMatchObject({
      ...{ calls: 20, errors: 5, costUsd: '0.0000000001', searchedBackTo: null },
      ...{ tookMs: { p50: 100, p95: 190 }, firstMs: { p50: 5, p95: 10 } },
      since: new Date(nowMs - 24 * hourMs).toISOString(),
      until: new Date(nowMs).toISOString(),
    });
    expect(all.byApp).toEqual([
      {
        ...{ name: 'search', calls: 15, errors: 0, costUsd: '0.000000000075' },
        ...{ tookMs: { p50: 100, p95: 190 }, firstMs: { p50: 5, p95: 10 } },
      },
      {
        ...{ name: 'tutor', calls: 5, errors: 5, costUsd: '0.000000000025' },
        ...{ tookMs: { p50: 120, p95: 200 }, firstMs: { p50: 4, p95: 8 } },
      },
    ]);
    expect(all.byModel.map(({ name, calls }) => [name, calls])).toEqual([['sim-echo', 20]]);
    expect(await stats({}, 3)).toEqual(all);
  });

  test('slices have no gap and add up', async () => {
    const since = nowMs - 15 * minuteMs;
    const { slices, sliceMs, calls } = await stats({ since, until: nowMs - 5 * minuteMs });
    expect(sliceMs).toBe(minuteMs);
    expect(calls).toBe(10);
    expect(slices.reduce((sum, slice) => sum + slice.calls, 0)).toBe(10);
    expect(slices.reduce((sum, slice) => sum + slice.errors, 0)).toBe(2);
    const at = slices.map((slice) => Date.parse(slice.at));
    expect(at.slice(1).map((ms, index) => ms - (at[index] ?? 0))).toEqual(
      at.slice(1).map(() => sliceMs),
    );
    for (const back of [1, 60, 24 * 7, 24 * 365, 24 * 365 * 50]) {
      expect((await stats({ since: nowMs - back * hourMs })).slices.length).toBeLessThanOrEqual(60);
    }
  });

  test('by each filter, as the list has them', async () => {
    for (const filter of [{ platform: 'other' }, { isFailed: true }, { apps: ['tutor'] }]) {
      expect(await stats(filter)).toMatchObject({ calls: 5, errors: 5 });
      const page = await findCalls(admin, { ...every, ...filter, after: undefined, limit: 50 });
      expect(page.calls).toHaveLength(5);
    }
    expect(await stats({ code: 'NONE' })).toMatchObject({
      ...{ calls: 0, errors: 0, costUsd: '0', tookMs: null, firstMs: null, byApp: [], byModel: [] },
    });
    await expect(stats({ app: 'nobody' })).rejects.toThrow('unknown app nobody');
  });

  test('durations have two significant digits', async () => {
    const took = [99, 994, 996, 9_949, 9_951, 123_456, 99_499_999];
    const more = took.map((ms) => ({
      startedAt: nowMs - 48 * hourMs,
      endedAt: nowMs - 48 * hourMs + ms,
    }));
    const backwards = { startedAt: nowMs - 48 * hourMs, endedAt: 0 };
    const all = [backwards, ...more];
    const range = { until: nowMs - 47 * hourMs };
    const medians: (number | undefined)[] = [];
    for (const [index, times] of all.entries()) {
      await put(48 * 60 + index / 1000, { ...times, app: `a${index}` });
      medians.push((await stats({ ...range, apps: [`a${index}`] })).tookMs?.p50);
    }
    expect(medians).toEqual([0, 99, 990, 1_000, 9_900, 10_000, 120_000, 99_000_000]);
  });

  test('for 2 s, and then returns the part that was read', async () => {
    readMs = 600;
    const part = await stats({}, 5);
    readMs = 0;
    expect(part).toMatchObject({
      calls: 10,
      searchedBackTo: new Date(nowMs - 10 * minuteMs - 20).toISOString(),
    });
    expect(part.slices.reduce((sum, slice) => sum + slice.calls, 0)).toBe(10);
  });

  test('a call lists its tokens, its times and its attempts', async () => {
    const ofCode = async (code: string) => {
      const page = await findCalls(admin, { ...every, code, after: undefined, limit: 50 });
      return page.calls[0];
    };
    await put(100, { code: 'ONE' });
    expect(await ofCode('ONE')).toMatchObject({
      ...{ tookMs: 1_000, firstMs: null, attempts: 1 },
      usage: { inputTokens: 1, outputTokens: 1 },
    });
    await put(101, { code: 'UNSENT', attempts: '[]', firstMs: 7 });
    expect(await ofCode('UNSENT')).toMatchObject({ attempts: 0, firstMs: 7 });
    await put(102, { code: 'LOST', attempts: '[]' });
    expect(await ofCode('LOST')).toMatchObject({ attempts: null });
    await put(103, { code: 'TWICE', attempts: '[]' });
    const insert = insertOne(attempts);
    const { attempts: rows = [] } = search.settle(idOf(103), 5n, { several: [{}, {}] });
    for (const row of rows) {
      await store.write([{ sql: insert.sql, values: insert.bind(row) }]);
    }
    expect(await ofCode('TWICE')).toMatchObject({ attempts: 2 });
  });
});
