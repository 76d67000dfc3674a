import { expect, test } from 'vitest';
import { appChanged, apps, noApps, search } from '../documents/apps.ts';
import { overview } from '../documents/overview.ts';
import { viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { textOf } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/apps';
const documents = () => ({ '/apps': { body: apps }, '/overview': { body: overview } });
const Actions = expect.anything();

const footers = () => [...document.querySelectorAll('main .card > footer')].map(textOf);

test('Apps has each app with its day, in two groups that each add up', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Apps')).toEqual([
      {
        ...{ App: 'search', 'Budget used': '98%', 'Daily budget': '$50.00', Actions },
        ...{
          Spent: '$48.10',
          Reserved: '$1.20',
          Remaining: '$0.70 left',
          State: 'Differs from file',
        },
      },
    ]),
  );
  expect(page.table('Apps without a budget')).toEqual([
    { App: 'tutor', Spent: '$15.34', Reserved: '$0.51', State: 'Disabled', Actions },
  ]);
  expect(footers()).toEqual([
    'All 1: $48.10 spent, $1.20 reserved, $0.70 left of $50.00',
    'All 1: $15.34 spent, $0.51 reserved',
  ]);
  expect(page.heading()).toBe('Apps');
  expect(page.link('search')).toBe('/console/apps/search');
  expect(document.querySelector('[title="dailyBudgetUsd: 50, the file has 20"]')).not.toBeNull();
  expect(page.alerts()).toEqual([]);
});

test('more columns have the other settings', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Apps')).toHaveLength(1));
  for (const name of [
    'Monthly budget',
    'Daily budget per user',
    'Monthly credits per user',
    'Models',
  ]) {
    await page.toggle(name);
  }
  await page.toggle('Created by');
  await waitFor(() =>
    expect(page.table('Apps')).toMatchObject([
      {
        ...{ 'Monthly budget': '$900.50', 'Daily budget per user': '$0.75', 'Created by': 'file' },
        ...{ Models: 'gpt-5.4, claude-opus', 'Monthly credits per user': '400' },
      },
    ]),
  );
});

test('2,000 apps are shown by 50, with the sums of all', async () => {
  const items = Array.from({ length: 2_000 }, (_, at) => ({ ...search, name: `app-${at}` }));
  const body = { ...overview, apps: [] };
  const page = openPage(address, {
    '/apps': { body: { items, after: null } },
    '/overview': { body },
  });
  await waitFor(() => expect(page.table('Apps')).toHaveLength(50));
  expect(page.content()).toContain('With a daily budget: 2,000');
  expect(footers()[0]).toContain('$100,000.00 left of $100,000.00');
  expect(footers()[0]).toContain('1–50 of 2,000');
  await page.click('Next');
  await waitFor(() => expect(page.content()).toContain('51–100 of 2,000'));
  await page.fill('Find an app', 'app-1999');
  await waitFor(() => expect(page.table('Apps')).toHaveLength(1));
  expect(page.address()).toBe('/console/apps?q=app-1999');
});

test('a filter without a match can be cleared', async () => {
  const page = openPage(`${address}?show=disabled&q=search`, documents());
  await waitFor(() => expect(page.content()).toContain('No matching apps'));
  expect(page.link('Clear filters')).toBe('/console/apps');
});

test('an app is created with a budget', async () => {
  const page = openPage(address, { ...documents(), 'POST /apps': { body: appChanged } });
  await page.click('Create app…');
  await page.fill('Name', 'helpdesk');
  await page.fill('USD per day', '12.5');
  await page.fill('Reason', 'a pilot');
  await page.click('Create app');
  await waitFor(() => expect(page.has('Create app')).toBe(false));
  expect(page.sent()).toEqual([
    ['POST /apps', { name: 'helpdesk', reason: 'a pilot', settings: { dailyBudgetUsd: '12.5' } }],
  ]);
});

test('a viewer is offered no change', async () => {
  const page = openPage(address, documents(), { session: viewer });
  await waitFor(() => expect(page.table('Apps')).toHaveLength(1));
  expect(page.has('Create app…')).toBe(false);
  expect(page.has('Change budget…', 'search')).toBe(false);
});

test('Apps without an app shows how to create one', async () => {
  const page = openPage(address, { ...documents(), '/apps': { body: noApps } });
  await waitFor(() =>
    expect(page.content()).toContain(
      'No apps yet Create one here, or add it to the configuration file',
    ),
  );
  expect(page.has('Create app…')).toBe(true);
});

test.each(failures)('Apps shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  await waitFor(() => expect(page.table('Apps')).toHaveLength(1));
});

test('unreadable amounts leave the apps in their place', async () => {
  const page = openPage(address, { '/apps': { body: apps } });
  await waitFor(() => expect(page.alerts()).toHaveLength(1));
  expect(page.table('Apps')).toHaveLength(1);
});
