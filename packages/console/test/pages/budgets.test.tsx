import { expect, test } from 'vitest';
import { budgetChanged, budgets, closedBudgets, noBudgets } from '../documents/budgets.ts';
import { overview } from '../documents/overview.ts';
import { viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/budgets';
const documents = () => ({ '/overview': { body: overview }, '/budgets': { body: budgets } });
const Actions = expect.anything();

test('Budgets has every budget, the one closest to its limit on top', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(3));
  expect(page.heading()).toBe('Budgets');
  expect(page.table('Budgets')).toEqual([
    {
      ...{ Budget: 'tutor Daily, app', Used: '176%', 'Budget (USD)': '$9.00' },
      ...{ Spent: '$15.34', Reserved: '$0.51', Remaining: '$0.00 left', Actions },
      ...{ 'Resets (UTC)': 'Nov 23, 2026', 'When used up': 'Shadow: 1,234 over' },
    },
    {
      ...{ Budget: 'search Daily budget', Used: '98%', 'Budget (USD)': '$50.00' },
      ...{ Spent: '$48.10', Reserved: '$1.20', Remaining: '$0.70 left', Actions },
      ...{ 'Resets (UTC)': 'Nov 23, 2026', 'When used up': 'Rejects calls from about 15:21 UTC' },
    },
    {
      ...{ Budget: 'research Monthly, group: search, tutor', Used: '68%' },
      ...{
        'Budget (USD)': '$900.00',
        Spent: '$611.50',
        Reserved: '$2.00',
        Remaining: '$286.50 left',
      },
      ...{ 'Resets (UTC)': 'Dec 1, 2026', 'When used up': 'Rejects calls', Actions },
    },
  ]);
  expect(page.link('search')).toBe('/console/apps/search');
  expect(page.alerts()).toEqual([]);
});

test('a filter goes into the address', async () => {
  const page = openPage(address, documents());
  await page.click('Monthly');
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(1));
  expect(page.address()).toBe('/console/budgets?show=month');
  await page.click('All');
  await page.fill('Find a budget', 'nothing-like-this');
  await waitFor(() => expect(page.content()).toContain('No matching budgets'));
  expect(page.link('Clear filters')).toBe('/console/budgets');
});

test('a budget of each user has nothing left together', async () => {
  const [research] = budgets.items;
  const each = { ...research, name: 'users:search', users: 812, apps: null, remainingUsd: null };
  const body = { items: [each], after: null };
  const page = openPage(address, { ...documents(), '/budgets': { body } });
  await waitFor(() =>
    expect(page.table('Budgets')?.at(-1)).toMatchObject({
      ...{ Budget: 'search Monthly, users: each of 812 users', Remaining: '–' },
      Used: 'per-user budget',
    }),
  );
});

test('a budget that a restored store has closed is marked', async () => {
  const page = openPage(address, { ...documents(), '/budgets': { body: closedBudgets } });
  await waitFor(() =>
    expect(page.table('Budgets')?.at(-1)).toMatchObject({
      ...{ 'When used up': 'Closed by restore', Remaining: '$0.00 left' },
    }),
  );
});

test('the budget of a group is changed', async () => {
  const page = openPage(address, {
    ...documents(),
    'PUT /budgets/research': { body: budgetChanged },
  });
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(3));
  await page.click('Change budget…', 'research Monthly, group: search, tutor');
  await page.fill('USD per month', '1000');
  await page.fill('Reason', 'a larger group');
  await page.click('Change budget');
  await waitFor(() => expect(page.has('Change budget')).toBe(false));
  expect(page.sent()).toEqual([
    ['PUT /budgets/research', { reason: 'a larger group', monthlyUsd: '1000' }],
  ]);
});

test('a viewer is offered no change', async () => {
  const page = openPage(address, documents(), { session: viewer });
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(3));
  expect(page.has('Change budget…', 'search Daily budget')).toBe(false);
  expect(page.has('Show spend', 'search Daily budget')).toBe(true);
});

test('Budgets without a budget shows how to create one', async () => {
  const page = openPage(address, {
    '/overview': { body: { ...overview, apps: [] } },
    '/budgets': { body: noBudgets },
  });
  await waitFor(() =>
    expect(page.content()).toContain('Set a daily budget for an app on the Apps page.'),
  );
  expect(page.content()).toContain('configuration under budgets');
});

test.each(failures)('Budgets shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(3));
});
