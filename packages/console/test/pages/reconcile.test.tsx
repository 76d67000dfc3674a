import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { differenceUsd as differenceUsdOf, shortUsd, sumUsd } from '../../src/text/money.ts';
import {
  daySettled,
  invoiceImported,
  nothingReconciled,
  reconciled,
} from '../documents/reconciled.ts';
import { noSpend, spend } from '../documents/spend.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { textOf } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/reconcile';
const caption = 'Invoice and ledger by day';
const linesCaption = 'Invoice and ledger lines';
const documents = () => ({ '/reconcile': { body: reconciled }, '/spend': { body: spend } });

test('Reconcile has the figures of the month, each day, each line, and its meaning', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table(caption)).toEqual([
      {
        ...{ 'Day (UTC)': 'Nov 21, 2026', Result: 'Unknown project', 'Invoice state': 'open' },
        ...{ Ledger: '$0.00', Invoice: '$12.34', Difference: '$12.35', 'Share of invoice': '100%' },
        Actions: 'Show lines Show spend',
      },
      {
        ...{ 'Day (UTC)': 'Nov 20, 2026', Result: 'Within estimates', 'Invoice state': 'final' },
        ...{
          Ledger: '$50.00',
          Invoice: '$50.00',
          Difference: '-$0.009',
          'Share of invoice': '<0.1%',
        },
        Actions: 'Settle 2026-11-20… Show lines Show spend',
      },
    ]),
  );
  expect(page.table(linesCaption)).toEqual([
    {
      ...{ 'App or project, model': 'proj_8 all models', 'Day (UTC)': 'Nov 21, 2026' },
      ...{ Ledger: '$0.00', Invoice: '$12.34', Difference: '$12.35' },
      ...{ 'Share of invoice': '100%', Result: 'Unknown project' },
    },
    {
      ...{ 'App or project, model': 'search gpt-5.4', 'Day (UTC)': 'Nov 20, 2026' },
      ...{ Ledger: '$50.00', Invoice: '$50.00', Difference: '-$0.009' },
      ...{ 'Share of invoice': '<0.1%', Result: 'Within estimates' },
    },
  ]);
  expect(page.heading()).toBe('Reconcile');
  expect(page.content()).toContain(
    'The invoice does not match the ledger. 1 line differs by $12.34 in total',
  );
  expect(page.content()).toContain('Invoice $62.34 2 days');
  expect(page.content()).toContain('Ledger, same days $50.00 $1.50 estimated');
  expect(page.content()).toContain('Difference $12.34 19% of the invoice');
  expect(page.content()).toContain('Ledger, whole month $100.12 1,234 calls');
  expect(page.content()).toContain('Unknown project No app is bound to this project.');
  expect(page.link('search')).toBe(
    '/console/spend?app=search&from=2026-11-20&to=2026-11-20&by=model',
  );
  expect(page.alerts()).toEqual([]);
});

test('the lines of a day and of a result are chosen by the address', async () => {
  const page = openPage(`${address}?day=2026-11-21`, documents());
  await waitFor(() =>
    expect(page.table(linesCaption)?.map((row) => row['App or project, model'])).toEqual([
      'proj_8 all models',
    ]),
  );
  await page.pick('Day');
  await page.click('Clear');
  await waitFor(() => expect(page.table(linesCaption)).toHaveLength(2));
  const other = openPage(`${address}?result=equal`, documents());
  await waitFor(() => expect(other.content()).toContain('No matching lines'));
});

test('shown amounts of a month add up to the shown totals, by day and by line', async () => {
  const [line] = reconciled.items;
  if (line === undefined) throw new Error('the sample has a line');
  const items = Array.from({ length: 23 }, (_, at) => {
    const [invoiceUsd, exactUsd] = [`${at}.33${at}7`, `${at}.1299`];
    const day = `2026-11-${String((at % 7) + 10)}`;
    const differenceUsd = differenceUsdOf(invoiceUsd, sumUsd([exactUsd, '0.00666']));
    return {
      ...{ ...line, day, app: `app-${at}`, exactUsd, estimatedUsd: '0.00666' },
      ...{ invoiceUsd, differenceUsd },
    };
  });
  const page = openPage(address, {
    ...documents(),
    '/reconcile': { body: { items, after: null } },
  });
  await waitFor(() => expect(page.table(linesCaption)).toHaveLength(23));
  for (const name of [caption, linesCaption]) {
    for (const column of ['Ledger', 'Invoice', 'Difference']) {
      const rows = page.table(name)?.map((row) => plain(row[column])) ?? [];
      expect(shortUsd(sumUsd(rows)), `${name}: ${column}`).toBe(totalOf(name, column));
    }
  }
});

const plain = (text = '') => text.replaceAll(/[$,]/g, '');

function totalOf(caption: string, column: string): string | null | undefined {
  const table = document.querySelector(`table[aria-label='${caption}']`);
  const heads = [...(table?.querySelectorAll('thead th') ?? [])].map(textOf);
  return table?.querySelectorAll('tfoot tr > *')[heads.indexOf(column)]?.textContent;
}

test('the files of an invoice are uploaded, and their content is shown', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /reconcile/import': { body: invoiceImported },
  });
  await page.click('Upload invoice…');
  await page.fill('Platform', 'openai');
  await page.choose('Files', [new File(['day,usd'], 'costs.csv')]);
  await page.fill('Reason', 'the invoice of November');
  await page.click('Import');
  await waitFor(() => expect(page.has('Show comparison')).toBe(true));
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

test('an import waits for its preview, which the service is still reading', async () => {
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
  await waitFor(() => expect(page.has('Show comparison')).toBe(true));
  expect(imports()).toHaveLength(2);
});

test('a final day is settled after it is typed', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /reconcile/settle': { body: daySettled },
  });
  await page.click('Settle 2026-11-20…');
  await page.fill('Reason', 'the invoice is final');
  await page.fill('Type 2026-11-20 to confirm', '2026-11-20');
  await page.click('Settle');
  await waitFor(() => expect(page.has('Settle')).toBe(false));
  const common = { reason: 'the invoice is final', confirm: '2026-11-20' };
  expect(page.sent()).toEqual([['POST /reconcile/settle', { ...common, day: '2026-11-20' }]]);
});

test('another month is read, and stays in the address', async () => {
  const page = openPage(address, documents());
  await page.pick('Month');
  await page.click('October 2026');
  await waitFor(() => expect(page.address()).toBe('/console/reconcile?month=2026-10'));
  await waitFor(() =>
    expect(page.asked.map(({ path }) => path)).toContain('/reconcile?month=2026-10'),
  );
});

test('a month without an invoice has the calls of the ledger, and the next step', async () => {
  const answers = { ...documents(), '/reconcile': { body: nothingReconciled } };
  const page = openPage(address, answers);
  await waitFor(() =>
    expect(page.content()).toContain(
      'No invoice for November 2026 The ledger has 1,234 calls, in total $100.12',
    ),
  );
  expect(page.has('Upload invoice…')).toBe(true);
  expect(page.table(caption)).toBeUndefined();
});

test('a month without a call and an invoice differs from one with calls', async () => {
  const answers = { '/reconcile': { body: nothingReconciled }, '/spend': { body: noSpend } };
  const page = openPage(address, answers);
  await waitFor(() =>
    expect(page.content()).toContain('The ledger has no calls in this month. Upload an invoice'),
  );
});

test.each(failures)('Reconcile shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table(caption)).toHaveLength(2);
});
