import { expect, test } from 'vitest';
import { app } from '../documents/app.ts';
import { appChanged } from '../documents/apps.ts';
import { overview, overviewWithoutCalls } from '../documents/overview.ts';
import { runningReceipt } from '../documents/receipt.ts';
import { viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/';
const documents = () => ({ '/overview': { body: overview } });

test('Today has the totals, the problems, each app and what was rejected', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.heading()).toBe('Today'));
  await waitFor(() => expect(page.table('Apps today')).toBeDefined());
  expect(page.content()).toContain('2026-11-22 UTC · begins anew in 9 h 0 min');
  expect(facts()).toEqual({
    ...{ Spent: '$63.44', 'Held for running calls': '$1.71', Calls: '185,175' },
    ...{ Refused: '12', Estimated: '<$0.01' },
  });
  expect(page.link('$63.44')).toBe('/console/spend?range=day');
  expect(page.link('gpt-next has no price')).toBe('/console/models');
  expect(page.link('November by project')).toBe('/console/spend?month=2026-11&by=project');
  expect(page.table('Apps today')).toEqual([
    {
      ...{ App: 'search', 'Budget used': '98 % of $50.00', Spent: '$48.10', Held: '$1.20' },
      ...{ Left: '$0.69', Calls: '24,690', Change: 'Raise…' },
      'At this pace': 'used up at 2026-11-22 15:21:00 UTC',
    },
    {
      ...{ App: 'tutor disabled', 'Budget used': 'no budget', Spent: '$15.34', Held: '$0.51' },
      ...{ Left: '–', Calls: '160,485', Change: 'Raise…' },
      'At this pace': '$24.50 by midnight',
    },
  ]);
  expect(page.table('Refusals')).toEqual([
    {
      ...{ App: 'search', Code: 'BUDGET_EXCEEDED', Requests: '1,012' },
      ...{ Last: '2026-11-22 14:59:30 UTC' },
      'What its caller was told': 'The budget of the day is used up',
    },
  ]);
  expect(page.alerts()).toEqual([]);
});

test('a rejected key that belongs to no app has no link', async () => {
  const lastMessage = 'for operators only: no key was sent; last: GET /v1/usage from 192.0.2.0/24';
  const rejected = { ...overview.refusals[0], app: '-', code: 'FORBIDDEN:no-header', lastMessage };
  const body = { ...overview, refusals: [rejected] };
  const page = openPage(address, { '/overview': { body } });
  await waitFor(() => expect(page.table('Refusals')).toBeDefined());
  expect(page.table('Refusals')).toMatchObject([
    { App: '–', Code: 'FORBIDDEN:no-header', 'What its caller was told': lastMessage },
  ]);
});

test('a budget is raised from Today, from the settings that were seen', async () => {
  const page = openPage(address, {
    ...documents(),
    '/apps/search': { body: app, etag: '"as-seen"' },
    'PATCH /apps/search': { body: appChanged },
  });
  await page.click('Raise of search');
  await page.fill('USD a day', '80');
  await waitFor(() => expect(page.content()).toContain('Left today: $0.69 becomes $30.69'));
  expect(page.content()).toContain('The next start reports that the file has 20.');
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
  const page = openPage(address, documents(), { who: viewer });
  await waitFor(() => expect(page.table('Apps today')).toHaveLength(2));
  expect(page.has('Raise of search')).toBe(false);
});

test('a service without a call has a line that makes one, and its receipt then', async () => {
  const answers = {
    '/overview': { body: overviewWithoutCalls },
    '/calls/call_9': { body: runningReceipt },
  };
  const page = openPage(address, answers);
  await waitFor(() => expect(page.content()).toContain('Make a first call'));
  expect(page.content()).toContain("curl 'http://127.0.0.1:8787/v1/chat'");
  expect(page.content()).toContain('Waiting for the first call… It appears here when it has come.');
  expect(page.table('Apps today')).toBeUndefined();
  answers['/overview'] = { body: { ...overviewWithoutCalls, lastCall: 'call_9' } };
  page.tell('overview');
  await waitFor(() => expect(page.content()).toContain('at most $1.209 is held for it'));
});

test('a day without an app and without a problem shows what is in order', async () => {
  const quiet = { ...overview, problems: [], apps: [], refusals: [] };
  const page = openPage(address, { '/overview': { body: quiet } });
  await waitFor(() =>
    expect(page.content()).toContain('OK the store answers, every circuit is closed'),
  );
  expect(page.content()).toContain(
    'No app yet. Name one in the configuration, or make one on Apps.',
  );
  expect(page.content()).not.toContain('Refused in this hour');
});

test.each(failures)('Today shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Apps today')).toHaveLength(2);
});

test('budgets that a restored store has closed are a problem', async () => {
  const text =
    'budgets are closed, since the store was restored at 2026-11-22T15:00:00Z: lab (day)';
  const problem = { kind: 'closed', text, href: '/console/apps' } as const;
  const page = openPage(address, { '/overview': { body: { ...overview, problems: [problem] } } });
  await waitFor(() => expect(page.link(text)).toBe('/console/apps'));
});
