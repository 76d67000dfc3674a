import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIds } from '../../src/lib/id.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { appRow, createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { withLease } from '../../src/operations/context/lease.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { usageOfApp } from '../../src/operations/reports/usage.ts';
import { findWallet, topUpWallet } from '../../src/operations/wallets/wallets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudget, selectCallRecord } from '../../src/store/queries/ledger.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { operationsOf } from '../conformance/operations.ts';
import { openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

const hourMs = 3_600_000;
const halfPastEleven = Date.UTC(2026, 10, 30, 23, 30);
const today = '2026-11-30';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

describe.each([
  ['SQLite', async () => openDirectStore(':memory:')],
  ['PostgreSQL', async () => openReplica(await server.database())],
])('an operator on %s, an hour ahead of the store', (_, open) => {
  let clock: TestClock;
  let store: Store;
  let admin: AdminContext;
  beforeEach(async () => {
    // The operator's machine is an hour ahead of the database: there it is December already.
    clock = createTestClock({ startMs: halfPastEleven + hourMs });
    const behind = { skewMs: () => -hourMs, measure: async () => undefined };
    store = { ...(await open()), clock: behind };
    admin = createAdminContext({
      ...{ store, clock, ids: createIds(clock) },
      ...{ company: 'acme', adminEmail: undefined, actor: 'test' },
    });
    await createApp(admin, 'search', { dailyBudgetPicoUsd: parseUsd('100') });
    const credits = { monthlyGrantPicoUsd: 100n, picoUsdPerCredit: 1n };
    await createApp(admin, 'tutor', { credits });
  });
  afterEach(() => store.close());

  test('a lowered budget is in force today, by the store’s day', async () => {
    const search = operationsOf({
      ...{ app: 'search', userId: undefined, granted: undefined, now: halfPastEleven },
    });
    await store.commit([search.reserve('call_1', 1n)]);
    await updateApp(admin, 'search', { dailyBudgetPicoUsd: parseUsd('5') });
    expect(await store.read(selectBudget('search', today))).toMatchObject({ cap: parseUsd('5') });
  });

  test('a wallet belongs to the store’s month', async () => {
    const wallet = { app: 'tutor', userId: 'ada' };
    expect(await findWallet(admin, wallet)).toMatchObject({ period: '2026-11' });
    await topUpWallet(admin, { ...wallet, credits: '5', reference: 'r' });
    const [entry] = await store.read({
      ...{ sql: 'select at from wallet_entry', values: [], map: (rows) => rows },
    });
    expect(entry?.at).toBe(BigInt(halfPastEleven));
  });

  test("a new value of a credit waits for the store's next month", async () => {
    const credits = { monthlyGrantPicoUsd: 200n, picoUsdPerCredit: 2n };
    await updateApp(admin, 'tutor', { credits });
    const row = await appRow(admin, 'tutor');
    expect(row.earlierCredits).toMatchObject({ until: '2026-12' });
  });

  test('the skew of the two clocks is added once, and not in each command again', async () => {
    const [closed] = await closeDays(admin, { app: 'search', day: undefined, picoUsd: undefined });
    expect(closed).toMatchObject({ day: today, bookedUsd: '100' });
    const record = await store.read(selectCallRecord(closed?.callId ?? ''));
    expect(record?.startedAt).toBe(halfPastEleven);
    expect(await usageOfApp(admin, 'search', undefined)).toMatchObject({ day: today });
    await withLease(admin, 'work', async () => {
      const leases = { sql: 'select expires_at from lease', values: [], map: valuesOf };
      expect(await store.read(leases)).toEqual([BigInt(halfPastEleven + 300_000)]);
    });
  });
});

function valuesOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return rows.map((row) => row.expires_at);
}
