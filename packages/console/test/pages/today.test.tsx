import { expect, test } from 'vitest';
import { app } from '../documents/app.ts';
import { appChanged } from '../documents/apps.ts';
import { overview, overviewWithoutCalls } from '../documents/overview.ts';
import { runningReceipt } from '../documents/receipt.ts';
import { viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { textOf } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/';
const documents = () => ({ '/overview': { body: overview } });

/** The key figures, each with its note and its link. */
function figures() {
  return [...document.querySelectorAll('.stats > *')].map((card) => [
    ...['.label', '.figure', '.note'].map((part) => {
      const element = card.querySelector(part);
      return element === null ? '' : textOf(element);
    }),
    card.getAttribute('href'),
  ]);
}

test('Today has five figures, each with its note and its link', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.heading()).toBe('Today'));
  await waitFor(() => expect(figures()).toHaveLength(5));
  expect(page.content()).toContain(
    'Sunday, November 22, 2026 · 15:00 UTC · budgets reset in 9 h 0 min',
  );
  expect(figures()).toEqual([
    ['Spent', '$63.44', 'up 35.9% vs. yesterday', '/console/spend?range=day'],
    ['Left in 1 budget', '$0.691', '98% of $50.00 used', '/console/budgets'],
    ['Reserved for running calls', '$1.71', '3 running calls', '/console/calls'],
    ['Calls', '185,175', '<0.1% failed', '/console/calls?since=2026-11-22T00%3A00%3A00Z'],
    ['Rejected', '12', '100% over budget', '#refused'],
  ]);
  expect(page.link('This month')).toBe('/console/spend?range=month');
  expect(page.link('Estimated so far $0.0051')).toContain('/console/calls?estimated=true&since=');
  expect(page.alerts()).toEqual([]);
});

test('Today has the course of the day with its forecast, and the spend of each hour', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('Forecast $90.34 by midnight UTC'));
  expect(page.content()).toContain('Sum of budgets $50.00');
  await page.unfold('Show as a table');
  await page.unfold('Show as a table', 1);
  await waitFor(() => expect(page.table('Spend by hour, UTC')).toHaveLength(24));
  const course = page.table("Running total of today's spend against the sum of daily budgets");
  expect(course?.[8]).toEqual({ 'Hour (UTC)': '08:00', 'Running total': '$8.00', Kind: 'Spent' });
  expect(course?.[23]).toEqual({
    ...{ 'Hour (UTC)': '23:00', 'Running total': '$90.34', Kind: 'Forecast' },
  });
  const hours = page.table('Spend by hour, UTC');
  expect(hours?.[15]).toEqual({ 'Hour (UTC)': '15:00', Total: '$7.44' });
});

test('each app has its spent, held and left amount, separate without a budget', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Apps today')).toBeDefined());
  expect(page.table('Apps today')).toEqual([
    {
      ...{ App: 'search', 'Budget used': '98%', Spent: '$48.10', Reserved: '$1.20' },
      ...{ Remaining: '$0.70 left', Calls: '24,690', Failed: '0%', Actions: expect.anything() },
      'Forecast (UTC)': 'Runs out at about 15:21',
    },
  ]);
  expect(page.table('Apps without a daily budget today')).toEqual([
    {
      ...{ App: 'tutor', Spent: '$15.34', Reserved: '$0.51', Calls: '160,485', Failed: '<0.1%' },
      ...{ 'Forecast (UTC)': 'Disabled', Actions: expect.anything() },
    },
  ]);
  expect([...document.querySelectorAll('#apps tfoot')].map(textOf)).toEqual([
    'With a budget 98% $48.10 $1.20 $0.70 left 24,690 0% $76.00 by midnight',
    'Without a budget $15.34 $0.51 160,485 <0.1% $24.50 by midnight',
  ]);
  expect(page.link('search')).toBe('/console/apps/search');
  expect(page.link('24,690')).toContain('/console/calls?app=search&since=');
});

test('fifty apps are shown, and the others as one row that adds up', async () => {
  const [first] = overview.apps;
  const apps = Array.from({ length: 2_000 }, (_, at) => ({
    ...first,
    ...{ app: `app-${at}`, spentUsd: String(at / 1_000), leftUsd: String(48.8 - at / 1_000) },
  }));
  const page = openPage(address, { '/overview': { body: { ...overview, apps } } });
  await waitFor(() => expect(page.table('Apps today')).toHaveLength(51));
  expect(page.table('Apps today')?.at(0)?.App).toBe('app-1999');
  expect(page.table('Apps today')?.at(-1)?.App).toBe('1,950 more apps');
  expect(page.link('Show all 2,000 on the Apps page')).toBe('/console/apps');
});

test('the order of the apps is in the address, and changes no amount', async () => {
  const apps = [1, 2, 3].map((at) => ({
    ...overview.apps[0],
    ...{ app: `app-${at}`, spentUsd: `${at}.00${at}5`, leftUsd: '1' },
  }));
  const page = openPage(address, { '/overview': { body: { ...overview, apps } } });
  await waitFor(() => expect(page.table('Apps today')).toHaveLength(3));
  const before = page.table('Apps today');
  await page.click('App');
  await waitFor(() => expect(page.address()).toBe('/console?sort=-app'));
  await page.click('App');
  await waitFor(() => expect(page.address()).toBe('/console?sort=app'));
  await waitFor(() => expect(page.table('Apps today')).toEqual(before?.toReversed()));
});

test('rejections have a reason in words, and the sentence of their caller', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('Rejected today'));
  const [reason] = [...document.querySelectorAll('#refused li')].map(textOf);
  expect(reason).toBe(
    'Budget used up in search The budget of the day is used up 1,012 last 14:59:30 UTC',
  );
  expect(page.link('1,012 requests: Budget used up in search')).toBe(
    '/console/apps/search#refusals',
  );
  expect(document.querySelector('#refused [title=BUDGET_EXCEEDED]')).not.toBeNull();
});

test('a rejected key that belongs to no app leads to Health', async () => {
  const lastMessage = 'for operators only: no key was sent; last: GET /v1/usage from 192.0.2.0/24';
  const rejected = {
    ...overview.refusedToday[0],
    ...{ app: '-', code: 'FORBIDDEN:no-header', lastMessage },
  };
  const body = { ...overview, refusedToday: [rejected] };
  const page = openPage(address, { '/overview': { body } });
  await waitFor(() =>
    expect(page.content()).toContain(`Key rejected: no header without an app ${lastMessage}`),
  );
  expect(page.link('1,012 requests: Key rejected: no header in -')).toBe('/console/health');
});

test('the models of the day add up to their total', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Spend by model today')).toBeDefined());
  expect(page.table('Spend by model today')).toEqual([
    { Model: 'claude-sonnet-4-5', Spend: '$50.10', Share: '78%' },
    { Model: 'gpt-5-mini', Spend: '$13.34', Share: '21%' },
  ]);
  expect(page.link('gpt-5-mini')).toContain('/console/calls?model=gpt-5-mini&since=');
});

test('a used-up budget is raised from Today, from the shown settings', async () => {
  const [first] = overview.apps;
  const usedUp = { ...first, leftUsd: '0', usedUpSince: '2026-11-22T13:02:00.000Z' };
  const body = { ...overview, apps: [usedUp] };
  const page = openPage(address, {
    '/overview': { body },
    '/apps/search': { body: app, etag: '"as-seen"' },
    'PATCH /apps/search': { body: appChanged },
  });
  const detail = '1,012 requests rejected since 13:02 UTC';
  await waitFor(() => expect(page.content()).toContain(detail));
  await page.click('Raise budget of search');
  await page.fill('USD per day', '80');
  await waitFor(() => expect(page.content()).toMatch(/Remaining today.*\$30\.69/));
  await page.fill('Reason', 'the launch');
  await page.click('Change budget');
  await waitFor(() => expect(page.has('Change budget')).toBe(false));
  expect(page.sent()).toEqual([
    ['PATCH /apps/search', { reason: 'the launch', settings: { dailyBudgetUsd: '80' } }],
  ]);
  const headers = page.asked.filter(({ method }) => method === 'PATCH').map((one) => one.headers);
  for (const sent of headers) expect(sent.get('if-match')).toBe('"as-seen"');
});

test('a viewer is offered no change', async () => {
  const page = openPage(address, documents(), { session: viewer });
  await waitFor(() => expect(page.table('Apps today')).toHaveLength(1));
  expect(page.has('Change budget…', 'search')).toBe(false);
  expect(page.has('Show calls', 'search')).toBe(true);
});

test('a service without a call shows a command for one, and then its receipt', async () => {
  const answers = {
    '/overview': { body: overviewWithoutCalls },
    '/calls/call_9': { body: runningReceipt },
  };
  const page = openPage(address, answers);
  await waitFor(() => expect(page.content()).toContain('Waiting for the first call'));
  expect(page.content()).toContain("curl 'http://127.0.0.1:8787/v1/chat'");
  expect(page.content()).toContain('Send a call with an API key of an app.');
  expect(page.table('Apps today')).toBeUndefined();
  answers['/overview'] = { body: { ...overviewWithoutCalls, lastCall: 'call_9' } };
  page.notify('overview');
  await waitFor(() => expect(page.content()).toContain('$1.209'));
  expect(page.content()).toContain('First call received');
});

test('the sample keys are named only if they were printed', async () => {
  const body = { ...overviewWithoutCalls, hasSampleKeys: true };
  const page = openPage(address, { '/overview': { body } });
  await waitFor(() => expect(page.content()).toContain('with a key that the first start printed.'));
});

test('a day without an app and a problem is healthy', async () => {
  const quiet = { ...overview, problems: [], apps: [], refusals: [], refusedToday: [] };
  const page = openPage(address, {
    '/overview': { body: { ...quiet, models: [], otherModels: null } },
  });
  await waitFor(() => expect(page.content()).toContain('Nothing needs attention'));
  expect(page.content()).toContain('The store answers, every circuit is closed');
  expect(page.content()).toContain(
    'Add one to the configuration file, or create one on the Apps page.',
  );
  expect(page.content()).toContain('No rejected requests');
  expect(page.content()).toContain('No app has a daily budget');
  expect(page.content()).toContain('No calls yet today');
});

test.each(failures)('Today shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Apps today')).toHaveLength(1);
});

test('budgets that a restored store has closed lead to Budgets', async () => {
  const text =
    'budgets are closed, since the store was restored at 2026-11-22T15:00:00Z: lab (day)';
  const problem = { kind: 'closed', text, href: '/console/apps' } as const;
  const page = openPage(address, { '/overview': { body: { ...overview, problems: [problem] } } });
  const shown = 'Budgets are closed, since the store was restored at 2026-11-22 15:00 UTC';
  await waitFor(() => expect(page.link(shown)).toBe('/console/budgets'));
  expect(page.content()).toContain('lab (day)');
});
