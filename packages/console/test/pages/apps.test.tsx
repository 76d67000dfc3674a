import { expect, test } from 'vitest';
import { appChanged, apps, noApps } from '../documents/apps.ts';
import { budgetChanged, budgets, closedBudgets, noBudgets } from '../documents/budgets.ts';
import { viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/apps';
const documents = () => ({ '/apps': { body: apps }, '/budgets': { body: budgets } });

test('Apps has each app with its settings, and every other budget', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Apps')).toEqual([
      {
        ...{ App: 'search', State: 'works', 'USD a day': '$50.00', 'USD a month': '$900.50' },
        ...{ 'Each user a day': '$0.75', Models: 'gpt-5.4, claude-opus' },
        ...{ 'Credits a month': '400', 'Made by': 'file' },
        'Unlike the file': 'dailyBudgetUsd: 50, the file has 20',
      },
      {
        ...{ App: 'tutor', State: 'disabled', 'USD a day': '–', 'USD a month': '–' },
        ...{ 'Each user a day': '–', Models: 'all', 'Credits a month': '–' },
        ...{ 'Made by': 'command', 'Unlike the file': '–' },
      },
    ]),
  );
  await waitFor(() =>
    expect(page.table('Budgets')).toEqual([
      {
        ...{ Budget: 'research', Of: 'search, tutor', A: 'month: 2026-11', Acts: 'refuses' },
        ...{ Cap: '$900.00', Spent: '$611.50', Held: '$2.00', Left: '$286.49', Change: 'Cap…' },
      },
      {
        ...{ Budget: 'app:tutor', Of: '–', A: 'day: 2026-11-22' },
        Acts: 'only counts: would have refused 1,234',
        ...{ Cap: '$9.00', Spent: '$15.34', Held: '$0.51', Left: '$0.00', Change: 'Cap…' },
      },
    ]),
  );
  expect(page.heading()).toBe('Apps');
  expect(page.link('search')).toBe('/console/apps/search');
  expect(page.alerts()).toEqual([]);
});

test('a budget that a restored store has closed is marked', async () => {
  const page = openPage(address, { ...documents(), '/budgets': { body: closedBudgets } });
  await waitFor(() =>
    expect(page.table('Budgets')).toMatchObject([{ Acts: 'closed by a restore', Left: '$0.00' }]),
  );
});

test('an app is made with a budget', async () => {
  const page = openPage(address, { ...documents(), 'POST /apps': { body: appChanged } });
  await page.click('Make an app…');
  await page.fill('Name', 'helpdesk');
  await page.fill('USD a day', '12.5');
  await page.fill('Reason', 'a pilot');
  await page.click('Make the app');
  await waitFor(() => expect(page.has('Make the app')).toBe(false));
  expect(page.sent()).toEqual([
    ['POST /apps', { name: 'helpdesk', reason: 'a pilot', settings: { dailyBudgetUsd: '12.5' } }],
  ]);
});

test('the cap of a group is changed', async () => {
  const page = openPage(address, {
    ...documents(),
    'PUT /budgets/research': { body: budgetChanged },
  });
  await page.click('Cap…', 'research');
  await page.fill('USD a month', '1000');
  await page.fill('Reason', 'a larger group');
  await page.click('Change the cap');
  await waitFor(() => expect(page.has('Change the cap')).toBe(false));
  expect(page.sent()).toEqual([
    ['PUT /budgets/research', { reason: 'a larger group', monthlyUsd: '1000' }],
  ]);
});

test('a viewer is offered no change', async () => {
  const page = openPage(address, documents(), { who: viewer });
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(2));
  expect(page.has('Make an app…')).toBe(false);
  expect(page.has('Cap…')).toBe(false);
});

test('Apps without an app says where apps come from', async () => {
  const page = openPage(address, { '/apps': { body: noApps }, '/budgets': { body: noBudgets } });
  await waitFor(() =>
    expect(page.content()).toContain('No app. Those of the configuration file are here'),
  );
  await waitFor(() => expect(page.content()).toContain('the file declares them under budgets.'));
  expect(page.has('Make an app…')).toBe(true);
});

test.each(failures)('Apps shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Apps')).toHaveLength(2);
  expect(page.table('Budgets')).toHaveLength(2);
});

test('budgets that cannot be read leave the apps in their place', async () => {
  const page = openPage(address, { '/apps': { body: apps } });
  await waitFor(() => expect(page.alerts()).toHaveLength(1));
  expect(page.table('Apps')).toHaveLength(2);
});
