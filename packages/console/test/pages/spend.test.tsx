import type { Spend } from '@model-gateway/server/operations/documents';
import { expect, test } from 'vitest';
import { apps, noApps } from '../documents/apps.ts';
import { budgets, noBudgets } from '../documents/budgets.ts';
import { mostExpensiveCalls, noMostExpensiveCalls } from '../documents/calls.ts';
import { models } from '../documents/models.ts';
import { viewer } from '../documents/session.ts';
import { noSpend, spend } from '../documents/spend.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/spend?month=2026-11&by=model';
const documents = (of: Spend = spend) => ({
  '/spend': { body: of },
  '/apps': { body: apps },
  '/models': { body: models },
  '/budgets': { body: budgets },
  '/calls?order=cost': { body: mostExpensiveCalls },
});

test('Spend has five figures, the days, and rows whose shares and costs add up', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('Most expensive call $1.50'));
  await waitFor(() => expect(page.content()).toContain('vs. Oct 1 – 22'));
  expect(page.heading()).toBe('Spend');
  expect(page.content()).toContain('Nov 1 – 30, 2026 · days are UTC');
  expect(page.content()).toContain('Total $100.12 up 0.0% vs. Oct 1 – 22');
  expect(page.content()).toContain('Forecast for November $136.53 Within the monthly budget');
  expect(page.content()).toContain('Calls 1,234 $0.08113 per call');
  expect(page.content()).toContain('Estimated $0.509 0.5% of the total');
  expect(page.table('Spend by model')).toEqual([
    {
      ...{ Model: 'gpt-5.4', Share: '74.9%', Cost: '$75.00', Calls: '1,200 calls' },
      ...{ 'Per call': '$0.0625 per call', Input: '1M', Cached: '250K', Output: '90,001' },
      Estimated: '$0.00',
    },
    {
      ...{ Model: 'none', Share: '25.1%', Cost: '$25.12', Calls: '34 calls' },
      ...{ 'Per call': '$0.7389 per call', Input: '1M', Cached: '250K', Output: '90,001' },
      Estimated: '$0.509',
    },
  ]);
  await page.unfold('Show as a table');
  await waitFor(() => expect(page.has('Nov 21')).toBe(true));
  expect(page.table('Spend by day and model')).toEqual([
    { 'Day (UTC)': 'Nov 21', 'gpt-5.4': '$40.00', none: '$0.00', others: '$0.00', Total: '$40.00' },
    {
      ...{ 'Day (UTC)': 'Nov 22', 'gpt-5.4': '$35.00', none: '$20.00', others: '$5.12' },
      Total: '$60.12',
    },
  ]);
  expect(page.content()).toContain('Nov 22 $60.12 so far');
  expect(page.alerts()).toEqual([]);
});

test('amounts have all their digits on hover, next to the shown text', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('$100.12'));
  const exact = [...document.querySelectorAll('main .stat .usd')].map(
    (amount) => amount.getAttribute('title') ?? '',
  );
  expect(exact.slice(0, 2)).toEqual(['$100.123456', '$136.53']);
});

test('a sentence forecasts the month, with a row for each budget', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Monthly budgets')).toBeDefined());
  expect(page.content()).toContain('Monthly budgets, November');
  expect(page.table('Monthly budgets')).toEqual([
    {
      ...{ Budget: 'research', Used: '68%', Spent: '$611.50', Forecast: '$848.33' },
      ...{ Limit: 'of $900.00', Outlook: 'Within budget' },
    },
  ]);
  expect(page.link('Show all budgets')).toBe('/console/budgets');
});

test('a row leads one level down, and its count of calls to these calls', async () => {
  const range = 'since=2026-11-01T00%3A00%3A00Z&until=2026-12-01T00%3A00%3A00Z';
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Spend by model')).toBeDefined());
  expect(page.link('1,200')).toBe(`/console/calls?model=gpt-5.4&${range}`);
  expect(rowLink('gpt-5.4')?.getAttribute('href')).toBe(
    '/console/spend?month=2026-11&by=app&model=gpt-5.4',
  );
  expect(page.link('Show these calls')).toBe(`/console/calls?${range}`);
});

test('four clicks lead from this week’s highest spender to the expensive calls', async () => {
  const page = openPage('/console/', documents({ ...spend, by: ['app'] }));
  await page.click('Spend');
  await page.click('7 days');
  await waitFor(() => expect(page.address()).toBe('/console/spend?range=week'));
  await waitFor(() => expect(rowLink('gpt-5.4')).toBeDefined());
  rowLink('gpt-5.4')?.click();
  await waitFor(() =>
    expect(page.address()).toBe('/console/spend?range=week&app=gpt-5.4&by=model'),
  );
  await waitFor(() => expect(page.link('1,200')).toContain('/console/calls?app='));
});

/** The link of a row, not the same name in a picker. */
function rowLink(name: string): HTMLAnchorElement | undefined {
  const links = document.querySelectorAll<HTMLAnchorElement>('tbody th a[href]');
  return [...links].find(({ textContent }) => textContent === name);
}

test('groups, filters and dates are in the address and in the request', async () => {
  const page = openPage(address, documents());
  await page.pick('App');
  await page.click('tutor');
  await waitFor(() => expect(page.address()).toBe(`${address}&app=tutor`));
  await page.pick('More');
  await page.click('Project');
  await waitFor(() => expect(page.address()).toContain('by=project'));
  await waitFor(() =>
    expect(page.asked.map(({ path }) => path)).toContain(
      '/spend?from=2026-11-01&to=2026-11-30&by=project&app=tutor',
    ),
  );
  await page.click('Dates');
  await page.fill('From', '2026-11-05');
  await waitFor(() => expect(page.address()).toContain('from=2026-11-05'));
  expect(page.address()).not.toContain('month=');
});

test('invalid dates become today, and the page stays', async () => {
  const page = openPage('/console/spend?range=days&from=2026-13-01&to=x', documents());
  await waitFor(() => expect(page.content()).toContain('Nov 22, 2026 · days are UTC'));
  expect(page.heading()).toBe('Spend');
});

test('each row is compared with the previous period', async () => {
  const page = openPage(address, documents());
  await page.click('Compare');
  await waitFor(() => expect(page.address()).toContain('compare=true'));
  const [row] = await waitFor(() => {
    const rows = page.table('Spend by model') ?? [];
    expect(rows[0]).toHaveProperty('Change');
    return rows;
  });
  expect(row).toMatchObject({ 'Previous period': '$75.00', Change: '$0.00' });
  const paths = page.asked.map(({ path }) => path);
  expect(paths).toContain('/spend?from=2026-10-01&to=2026-10-22&by=model');
});

test('50 of many rows are shown, and one for the others completes the total', async () => {
  const [row = { names: [], sums: spend.total }] = spend.rows;
  const rows = Array.from({ length: 60 }, (_, at) => ({
    names: [`m-${at}`],
    sums: { ...row.sums, costUsd: `1.${String(at).padStart(2, '0')}5` },
  }));
  const total = { ...spend.total, costUsd: '78', calls: 72_000 };
  const page = openPage(address, documents({ ...spend, rows, total, found: 60 }));
  await waitFor(() => expect(page.table('Spend by model')).toHaveLength(51));
  const centsOf = (shown: readonly string[]) =>
    shown.reduce((sum, text) => sum + Math.round(Number(text.replace('$', '')) * 100), 0);
  const shown = page.table('Spend by model')?.map(({ Cost = '' }) => Cost) ?? [];
  expect(centsOf(shown)).toBe(7_800);
  await page.click('Show 60 rows');
  await waitFor(() => expect(page.table('Spend by model')).toHaveLength(60));
  const all = page.table('Spend by model')?.map(({ Cost = '' }) => Cost) ?? [];
  expect(centsOf(all)).toBe(7_800);
  expect(all.slice(0, 50)).toEqual(shown.slice(0, 50));
});

test('a viewer finds no calls behind masked users', async () => {
  const users = { ...spend, by: ['user' as const], days: [] };
  const page = openPage('/console/spend?by=user', documents(users), { session: viewer });
  await waitFor(() => expect(page.table('Spend by user')).toBeDefined());
  expect(rowLink('gpt-5.4')).toBeUndefined();
  expect(page.has('Compare')).toBe(false);
});

test('a month without a call explains when its cost appears', async () => {
  const page = openPage('/console/spend?month=2026-11', {
    ...documents(noSpend),
    '/apps': { body: noApps },
    '/budgets': { body: noBudgets },
    '/calls?order=cost': { body: noMostExpensiveCalls },
  });
  await waitFor(() => expect(page.content()).toContain('No calls in this range'));
  await waitFor(() => expect(page.content()).toContain('No calls yet'));
  expect(page.content()).toContain('Total $0.00');
  expect(page.content()).toContain('Forecast for November–Available after the first full day');
  expect(page.content()).not.toContain('Spend by day');
  expect(page.content()).not.toContain('Monthly budgets, November');
});

test('a range that is over has the previous period in place of a forecast', async () => {
  const page = openPage('/console/spend?month=2026-09&by=model', documents());
  await waitFor(() => expect(page.content()).toContain('Previous period $100.12 Aug 1 – 31'));
});

test('missing data next to the sums is pointed out, and the sums are shown', async () => {
  const { '/calls?order=cost': _, ...others } = documents();
  const page = openPage(address, others);
  const missing = 'The test has no answer to /calls?order=cost Try again';
  await waitFor(() => expect(page.alerts()).toEqual([missing]));
  expect(page.table('Spend by model')).toHaveLength(2);
});

test.each(failures)('Spend shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  await waitFor(() => expect(page.table('Spend by model')).toHaveLength(2));
});

test('an export request has the page’s filter, and its failure is shown', async () => {
  const error = { code: 'STORE_AWAY', message: 'The store does not answer' };
  const page = openPage(address, {
    ...documents(),
    '/spend.csv': { status: 503, body: { error } },
  });
  await page.click('Export FOCUS');
  await waitFor(() => expect(page.alerts()).toEqual(['The store does not answer']));
  const paths = page.asked.map(({ path }) => path).filter((path) => path.startsWith('/spend.csv'));
  const [path = ''] = paths;
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  expect(query).toMatchObject({ by: 'model', from: '2026-11-01', format: 'focus' });
});
