import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLedgerQueue } from '../../src/ledger/queue.ts';
import { createIds } from '../../src/lib/id.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { reopenDay } from '../../src/operations/days/reopen.ts';
import { debitWallet, topUpWallet } from '../../src/operations/wallets/wallets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { createTestClock } from '../support/test-clock.ts';

let store: Store;
let kinds: string[];
let admin: AdminContext;
beforeEach(async () => {
  const clock = createTestClock();
  store = await openDirectStore(':memory:');
  kinds = [];
  const queue = createLedgerQueue({ store, clock });
  const watched: typeof queue = {
    ...queue,
    submit: (operation, isAdjustment) => {
      kinds.push(operation.kind);
      return queue.submit(operation, isAdjustment);
    },
  };
  admin = createAdminContext({
    ...{ store, clock, ids: createIds(clock), queue: watched },
    ...{ company: 'acme', adminEmail: undefined, actor: 'test' },
  });
});
afterEach(() => store.close());

test('bookings of operators go through the one queue of their process', async () => {
  await createApp(admin, 'search', { dailyBudgetPicoUsd: 100n });
  const credits = { monthlyGrantPicoUsd: 100n, picoUsdPerCredit: 1n };
  await createApp(admin, 'tutor', { credits });
  const wallet = { app: 'tutor', userId: 'ada', reference: undefined };
  await topUpWallet(admin, { ...wallet, credits: '5' });
  await debitWallet(admin, { ...wallet, credits: '2' });
  const [closed] = await closeDays(admin, { app: 'search', day: undefined, picoUsd: undefined });
  await reopenDay(admin, { app: 'search', day: undefined });
  await correctCall(admin, { callId: closed?.callId ?? '', usd: '0.00000000001' });
  expect(kinds).toEqual(['top-up', 'top-up', 'reserve', 'settle', 'correct', 'correct']);
});
