import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readInvoice } from '../../src/invoices/read-invoice.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { planReopening, reopenDay } from '../../src/operations/days/reopen.ts';
import { importInvoice, planImport } from '../../src/operations/reconcile/reconcile-import.ts';
import {
  debitWallet,
  findWallet,
  planWalletChange,
  topUpWallet,
} from '../../src/operations/wallets/wallets.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const dollar = 10n ** 12n;
const user = { app: 'tutor', userId: 'user-7' };

describe.each(['sqlite', 'postgres'] as const)('plans on %s', (kind) => {
  async function open(): Promise<AdminContext> {
    const store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    onTestFinished(() => store.close());
    const admin = adminOn(store);
    const credits = { monthlyGrantPicoUsd: dollar, picoUsdPerCredit: dollar / 100n };
    await createApp(admin, 'tutor', { dailyBudgetPicoUsd: dollar, credits });
    return admin;
  }

  test('the plan of a wallet’s change equals the change', async () => {
    const admin = await open();
    const before = await findWallet(admin, user);
    const entry = { ...user, credits: '20', reference: 'order-1' };
    const planned = await planWalletChange(admin, entry, 1n);
    expect(planned).toMatchObject({ toppedUp: '20', available: '120' });
    expect(await findWallet(admin, user)).toEqual(before);
    expect(await topUpWallet(admin, entry)).toEqual(planned);
    // The same reference acts once, and has one amount.
    expect(await planWalletChange(admin, entry, 1n)).toEqual(planned);
    const other = { ...entry, credits: '21' };
    await expect(planWalletChange(admin, other, 1n)).rejects.toThrow('used for a different amount');
    await expect(topUpWallet(admin, other)).rejects.toThrow('used for a different amount');
    const debit = { ...user, credits: '5', reference: undefined };
    expect(await planWalletChange(admin, debit, -1n)).toEqual(await debitWallet(admin, debit));
    const tooMuch = { ...debit, credits: '15.01' };
    await expect(planWalletChange(admin, tooMuch, -1n)).rejects.toThrow('only 15 top-up credits');
    await expect(debitWallet(admin, tooMuch)).rejects.toThrow('only 15 top-up credits');
  });

  test('the plan of reopening a day equals its effect', async () => {
    const admin = await open();
    const request = { app: 'tutor', day: undefined };
    await expect(planReopening(admin, request)).rejects.toThrow('is not closed');
    await closeDays(admin, { app: 'tutor', day: undefined, picoUsd: undefined });
    const planned = await planReopening(admin, request);
    expect(planned).toMatchObject([{ app: 'tutor', freedUsd: '1' }]);
    expect(await reopenDay(admin, request)).toEqual(planned);
  });

  test('the plan of an import leaves no trace', async () => {
    const admin = await open();
    const text = JSON.stringify({
      object: 'page',
      data: [
        {
          object: 'bucket',
          start_time: Date.parse('2026-11-01') / 1_000,
          end_time: Date.parse('2026-11-02') / 1_000,
          results: [
            {
              object: 'organization.costs.result',
              amount: { value: '1.25', currency: 'usd' },
              line_item: 'gpt-5.4-mini, input',
              project_id: 'proj_a',
            },
          ],
        },
      ],
      has_more: false,
      next_page: null,
    });
    async function* chunks() {
      yield Buffer.from(text);
    }
    const sources = () => [{ name: 'costs.json', chunks: chunks() }];
    const invoice = () => ({ platform: 'openai', read: () => readInvoice(sources()) });
    const planned = await planImport(admin, invoice());
    const lines = { subject: undefined, actor: undefined, since: undefined, limit: 10 };
    const logged = await listLines(admin, lines);
    expect(planned).toMatchObject({ totalUsd: '1.25', changedDays: ['2026-11-01'] });
    expect(await importInvoice(admin, invoice())).toEqual(planned);
    expect((await listLines(admin, lines)).length).toBe(logged.length + 1);
    expect(await planImport(admin, invoice())).toEqual({
      ...planned,
      changedDays: [],
      isRepeated: true,
    });
  });
});
