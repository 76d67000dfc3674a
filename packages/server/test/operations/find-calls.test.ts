import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallRecord } from '../../src/books/rows.ts';
import { createIds, firstCallIdAt } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { type CallSearch, findCalls } from '../../src/operations/calls/find-calls.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { listKeys } from '../../src/operations/keys/key-document.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import type { Store } from '../../src/store/port/port.ts';
import { noteUse } from '../../src/store/queries/key-use.ts';
import { insertOne } from '../../src/store/schema/row-statement.ts';
import { calls } from '../../src/store/schema/tables.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { operationsOf } from '../conformance/operations.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

const hourMs = 3_600_000;
const all: CallSearch = {
  ...{ app: undefined, userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
  ...{ after: undefined, limit: 50 },
};

describe.each(storeKinds)('calls are searched on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let clock: TestClock;
  let admin: AdminContext;
  /** The number of statements that were read. */
  let reads = 0;
  /** The duration of each. */
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
    // One an hour, the newest an hour ago; every third belongs to another app.
    for (let hour = 1; hour <= 30; hour++) await put(hour, hour % 3 === 0 ? other : {});
  });
  afterAll(async () => {
    await store.close();
    await postgres?.close();
  });

  const other = {
    ...{ app: 'tutor', userId: 'ada', keyId: 'key_two', model: 'alias', code: 'TIMEOUT' },
    ...{ cost: 9n, estimated: 9n },
  };

  async function put(hour: number, more: Partial<CallRecord>) {
    const at = nowMs - hour * hourMs;
    const { facts, end } = operationsOf({
      app: 'search',
      userId: undefined,
      granted: undefined,
      now: at,
    }).settle(idOf(hour), 5n);
    const none = { walletGrant: 0n, walletTopup: 0n, walletHeld: undefined, scopes: undefined };
    const rest = { ...none, held: 9n, heldAtEnd: 9n };
    const insert = insertOne(calls);
    const record = { ...facts, ...end, ...rest, instanceId: undefined, ...more };
    await store.write([{ sql: insert.sql, values: insert.bind(record) }]);
  }

  /** Ids were created a little before their calls were admitted. */
  function idOf(hour: number) {
    return firstCallIdAt(nowMs - hour * hourMs - 20_000).padEnd(31, '0');
  }

  async function findPage(search: Partial<CallSearch>, stepRows?: number) {
    const page = await findCalls(admin, { ...all, ...search }, stepRows);
    return { ...page, calls: page.calls.map(({ id }) => hourOf(id)) };
  }

  function hourOf(id: string) {
    for (let hour = 1; hour <= 30; hour++) if (idOf(hour) === id) return hour;
    throw new Error(`there is no ${id}`);
  }

  const thirds = [3, 6, 9, 12, 15, 18, 21, 24, 27, 30];

  test('the newest first, page after page, to the last', async () => {
    const first = await findPage({ limit: 12 }, 7);
    expect(first.calls).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const second = await findPage({ limit: 12, after: first.after ?? '' }, 7);
    expect(second.calls[0]).toBe(13);
    const third = await findPage({ limit: 12, after: second.after ?? '' }, 7);
    expect(third).toEqual({
      calls: [25, 26, 27, 28, 29, 30],
      ...{ after: null, searchedBackTo: null },
    });
  });

  test.each([
    ['app', { app: 'tutor' }],
    ['user', { userId: 'ada' }],
    ['key', { keyId: 'key_two' }],
    ['model', { model: 'alias' }],
    ['code', { code: 'TIMEOUT' }],
    ['cost', { minPicoUsd: 9n }],
    ['estimated', { isEstimated: true }],
  ])('by its %s', async (name, by) => {
    if (name === 'app') await createApp(admin, 'tutor', {});
    expect((await findPage(by, 4)).calls).toEqual(thirds);
    expect((await findPage({ ...by, limit: 2 })).calls).toEqual([3, 6]);
  });

  test('by its name in usage', async () => {
    expect((await findPage({ model: 'sim-echo' })).calls).toHaveLength(30);
  });

  test('between two times of their admission, the first included', async () => {
    const since = nowMs - 5 * hourMs;
    expect((await findPage({ since, until: nowMs - 2 * hourMs })).calls).toEqual([3, 4, 5]);
    expect((await findPage({ since: since + 1 })).calls).toEqual([1, 2, 3, 4]);
  });

  test('an app that is not registered is rejected', async () => {
    await expect(findPage({ app: 'nobody' })).rejects.toThrow('unknown app nobody');
  });

  test('for 2 s, and then returns how far it read', async () => {
    readMs = 300;
    reads = 0;
    const page = await findPage({ code: 'NONE' }, 3);
    // Reads of a step and its results, until the time is over: the last one may finish.
    expect(reads).toBe(8);
    expect(page.calls).toEqual([]);
    expect(hourOf(page.after ?? '')).toBe(12);
    expect(page.searchedBackTo).toBe(new Date(nowMs - 12 * hourMs - 20_000).toISOString());
    const rest = await findPage({ code: 'TIMEOUT', after: page.after ?? '' }, 30);
    readMs = 0;
    expect(rest.calls).toEqual([15, 18, 21, 24, 27, 30]);
  });

  test('months without a call cost no read', async () => {
    reads = 0;
    await findPage({ since: nowMs - 365 * 24 * hourMs });
    expect(reads).toBe(2);
  });

  test('the cost of keys today, and their last use', async () => {
    const { id: keyId } = await issueKey(admin, { app: 'search', email: 'a@b.example' });
    const [used] = await listKeys(admin, 'search');
    expect(used).toMatchObject({ lastUsedAt: null, callsToday: 0, spentTodayUsd: '0' });
    await put(0.5, { keyId });
    await put(0.75, { keyId });
    // The day before pays for it.
    await put(12.5, { keyId });
    await store.write(noteUse([keyId], nowMs));
    await store.write(noteUse([keyId], nowMs - 1));
    expect(await listKeys(admin, 'search')).toMatchObject([
      {
        ...{ lastUsedAt: new Date(nowMs).toISOString(), callsToday: 2 },
        spentTodayUsd: formatUsd(10n),
      },
    ]);
  });

  test('the audit log, by its subject, its actor and its time', async () => {
    const every = { subject: undefined, actor: undefined, since: undefined, limit: 50 };
    const [made] = await listLines(admin, { ...every, subject: 'search' });
    expect(made).toMatchObject({ action: 'app.create', actor: 'test' });
    expect(await listLines(admin, { ...every, actor: 'test' })).toContainEqual(made);
    expect(await listLines(admin, { ...every, limit: 1 })).toHaveLength(1);
    expect(await listLines(admin, { ...every, actor: 'nobody' })).toEqual([]);
    expect(await listLines(admin, { ...every, since: clock.now() + 1 })).toEqual([]);
  });
});
