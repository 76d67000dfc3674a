import { afterEach, beforeEach, expect, test } from 'vitest';
import { usageReport } from '../../src/ledger/usage-report.ts';
import { appRow, createApp, updateApp } from '../../src/operations/apps/apps.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { search } from '../conformance/operations.ts';
import { adminOn } from '../store/support/books.ts';

const dollar = 10n ** 12n;
const today = '2026-11-23';

let store: Store;
let admin: AdminContext;
beforeEach(async () => {
  store = openDirectStore(':memory:');
  const plain = adminOn(store);
  admin = { ...plain, clock: { ...plain.clock, now: () => Date.parse(today) } };
  await createApp(admin, 'search', { dailyBudgetPicoUsd: 5n * dollar });
});
afterEach(() => store.close());

async function budgetOf(day: string) {
  const row = await appRow(admin, 'search');
  return (await usageReport(store, row, { day, today })).budget;
}

test('a day keeps its limit, whatever the current limit is', async () => {
  // The first call of 2026-11-21, the default date of operations.
  await store.commit([search.reserve('a', dollar)]);
  await updateApp(admin, 'search', { dailyBudgetPicoUsd: 20n * dollar });
  expect(await budgetOf('2026-11-21')).toMatchObject({ capUsd: '5', heldUsd: '1' });
});

test('a day that ended without a call has no budget on record', async () => {
  expect(await budgetOf('2026-11-22')).toBeNull();
});

test.each([today, '2026-11-24'])(
  'the limit of %s, without a call yet, is the current one',
  async (day) => {
    expect(await budgetOf(day)).toMatchObject({ capUsd: '5', spentUsd: '0', remainingUsd: '5' });
  },
);
