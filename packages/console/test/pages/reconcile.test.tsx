import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  daySettled,
  invoiceImported,
  nothingReconciled,
  reconciled,
} from '../documents/reconciled.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/reconcile';
const caption = 'Invoices of 2026-11 beside the books';
const documents = () => ({ '/reconcile': { body: reconciled } });

test('Reconcile has the sums of the month, each row, and what its verdict means', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table(caption)).toEqual([
      {
        ...{ Day: '2026-11-20 (final)', Platform: 'openai', App: 'search', Model: 'gpt-5.4' },
        ...{ 'Booked exactly': '$48.50', Estimated: '$1.50', Invoice: '$50.00' },
        ...{ Difference: '$0.50', Drift: '1.0 %', Verdict: 'explained' },
        ...{ Calls: 'Booked calls', Settle: 'Settle 2026-11-20…' },
      },
      {
        ...{ Day: '2026-11-21', Platform: 'openai', App: 'proj_8', Model: 'all' },
        ...{ 'Booked exactly': '$0.00', Estimated: '$0.00', Invoice: '$12.34' },
        ...{ Difference: '$12.34', Drift: '100.0 %', Verdict: 'foreign', Calls: '', Settle: '' },
      },
    ]),
  );
  expect(page.heading()).toBe('Reconcile');
  expect(page.content()).toContain(
    'Invoice $62.345 · booked exactly $48.50 · estimated $1.50 · difference $12.84 (20.6 %)',
  );
  expect(Object.keys(facts())).toEqual(['explained · 1 rows', 'foreign · 1 rows']);
  expect(facts()['foreign · 1 rows']).toContain('Problem: the project is of no app.');
  expect(page.link('Booked calls of search on 2026-11-20')).toBe(
    '/console/spend?app=search&from=2026-11-20&to=2026-11-20&by=model',
  );
  expect(page.alerts()).toEqual([]);
});

test('the files of an invoice are uploaded, and what they hold is shown', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /reconcile/import': { body: invoiceImported },
  });
  await page.click('Upload invoice…');
  await page.fill('Platform', 'openai');
  await page.choose('Files', [new File(['day,usd'], 'costs.csv')]);
  await page.fill('Reason', 'the invoice of November');
  await page.click('Import');
  await waitFor(() => expect(page.has('Show the comparison')).toBe(true));
  expect(page.content()).toContain('17 lines of 2 days, $62.345');
  expect(page.sent()).toEqual([
    [
      'POST /reconcile/import',
      {
        ...{ platform: 'openai', reason: 'the invoice of November' },
        files: [{ name: 'costs.csv', text: 'day,usd' }],
      },
    ],
  ]);
});

test('an import waits for its preview, which the service reads still', async () => {
  const held = Promise.withResolvers<void>();
  const page = openPage(address, {
    ...documents(),
    'POST /reconcile/import': { body: invoiceImported, held: held.promise },
  });
  const imports = () => page.asked.filter(({ path }) => path === '/reconcile/import');
  await page.click('Upload invoice…');
  await page.fill('Platform', 'openai');
  await page.choose('Files', [new File(['day,usd'], 'costs.csv')]);
  await waitFor(() => expect(imports()).toHaveLength(1));
  await page.fill('Reason', 'the invoice of November');
  await page.click('Import');
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(page.sent()).toEqual([]);
  held.resolve();
  await waitFor(() => expect(page.has('Show the comparison')).toBe(true));
  expect(imports()).toHaveLength(2);
});

test('a final day is settled once it is typed', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /reconcile/settle': { body: daySettled },
  });
  await page.click('Settle 2026-11-20…');
  await page.fill('Reason', 'the invoice is final');
  await page.fill('Type 2026-11-20 to confirm', '2026-11-20');
  await page.click('Book the invoice');
  await waitFor(() => expect(page.has('Book the invoice')).toBe(false));
  const common = { reason: 'the invoice is final', confirm: '2026-11-20' };
  expect(page.sent()).toEqual([['POST /reconcile/settle', { ...common, day: '2026-11-20' }]]);
});

test('another month is read, and stays in the address', async () => {
  const page = openPage(address, documents());
  await page.fill('Month', '2026-10');
  await waitFor(() => expect(page.address()).toBe('/console/reconcile?month=2026-10'));
  await waitFor(() => expect(page.asked.at(-1)?.path).toBe('/reconcile?month=2026-10'));
});

test('a month without a call and without an invoice says what to do', async () => {
  const page = openPage(address, { '/reconcile': { body: nothingReconciled } });
  await waitFor(() =>
    expect(page.content()).toContain(
      'No call is booked in this month and no invoice was imported. Upload one',
    ),
  );
  expect(page.has('Upload invoice…')).toBe(true);
  expect(page.content()).not.toContain('booked exactly');
});

test.each(failures)('Reconcile shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table(caption)).toHaveLength(2);
});
