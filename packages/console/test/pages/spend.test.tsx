import { expect, test } from 'vitest';
import { apps, noApps } from '../documents/apps.ts';
import { dearestCalls, noDearestCalls } from '../documents/calls.ts';
import { noSpend, spend } from '../documents/spend.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/spend?month=2026-11&compare=true';
const documents = () => ({
  '/spend': { body: spend },
  '/apps': { body: apps },
  '/dearest-calls': { body: dearestCalls },
});

test('Spend has the total, the rows with their share, and the days', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Spending by model')).toBeDefined());
  await waitFor(() => expect(page.link('Dearest call $1.50')).toBe('/console/calls/call_2'));
  expect(page.heading()).toBe('Spend');
  expect(page.content()).toContain('Total $100.123456 · 1,234 calls · of which estimated $0.50');
  expect(page.content()).toContain('2026-10-01 to 2026-10-31: $120.50 · difference -$20.37');
  expect(page.content()).toContain('Forecast for the range $136.53 the last seven days');
  expect(page.table('Spending by model')).toEqual([
    {
      ...{ model: 'gpt-5.4', Calls: '1,200', Input: '1,000,000', Cached: '250,000' },
      ...{ Output: '90,001', Reasoning: '40,002', Cost: '$75.00', Estimated: '$0.00' },
      Share: '74.9 %',
    },
    {
      ...{ model: 'none', Calls: '34', Input: '1,000,000', Cached: '250,000' },
      ...{ Output: '90,001', Reasoning: '40,002', Cost: '$25.12', Estimated: '$0.50' },
      Share: '25.0 %',
    },
  ]);
  expect(page.content()).toContain('The dearest 2 of 3 rows');
  expect(page.table('Cost a day by model, USD')).toEqual([
    { Day: '2026-11-21', 'gpt-5.4': '$40', others: '$0', Total: '$40' },
    { Day: '2026-11-22', 'gpt-5.4': '$35', others: '$25.123456', Total: '$60.123456' },
  ]);
  expect(page.has('Export CSV') && page.has('Export FOCUS')).toBe(true);
  expect(page.link('gpt-5.4')).toBe(
    '/console/calls?model=gpt-5.4&since=2026-11-01T00%3A00%3A00Z&until=2026-12-01T00%3A00%3A00Z',
  );
  expect(page.alerts()).toEqual([]);
});

test('a choice of app and split goes into the address and the question', async () => {
  const page = openPage('/console/spend?month=2026-11', documents());
  await waitFor(() => expect(page.content()).toContain('search tutor'));
  await page.fill('App', 'tutor');
  await waitFor(() => expect(page.address()).toBe('/console/spend?month=2026-11&app=tutor'));
  await page.fill('Split by', 'project');
  await waitFor(() => expect(page.address()).toContain('by=project'));
  await waitFor(() =>
    expect(page.asked.map(({ path }) => path)).toContain(
      '/spend?from=2026-11-01&to=2026-11-30&by=project&app=tutor',
    ),
  );
});

test('a month without a call says when its cost is there', async () => {
  const page = openPage('/console/spend?month=2026-11', {
    '/spend': { body: noSpend },
    '/apps': { body: noApps },
    '/dearest-calls': { body: noDearestCalls },
  });
  const text = 'No call was made in this range. Its cost will be here when the first one is.';
  await waitFor(() => expect(page.content()).toContain(text));
  expect(page.content()).toContain('Total $0 · 0 calls');
  expect(page.content()).not.toContain('Dearest call');
  expect(page.content()).not.toContain('Cost a day');
});

test('what is missing beside the sums is pointed out, and they are shown', async () => {
  const page = openPage(address, { '/spend': { body: spend }, '/apps': { body: apps } });
  const missing = 'The test has no answer to /dearest-calls Try again';
  await waitFor(() => expect(page.alerts()).toEqual([missing]));
  expect(page.table('Spending by model')).toHaveLength(2);
});

test.each(failures)('Spend shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  await waitFor(() => expect(page.table('Spending by model')).toHaveLength(2));
});

test('an export is asked for with what the page shows, and its failure is shown', async () => {
  const error = { code: 'STORE_AWAY', message: 'The store does not answer' };
  const page = openPage('/console/spend?month=2026-11&by=model', {
    ...documents(),
    '/spend.csv': { status: 503, body: { error } },
  });
  await page.click('Export FOCUS');
  await waitFor(() => expect(page.alerts()).toEqual(['The store does not answer']));
  const asked = page.asked.map(({ path }) => path).filter((path) => path.startsWith('/spend.csv'));
  const [path = ''] = asked;
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  expect(query).toMatchObject({ by: 'model', from: '2026-11-01', format: 'focus' });
});
