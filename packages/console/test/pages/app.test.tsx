import type { AppPage } from '@model-gateway/server/operations/documents';
import { expect, test } from 'vitest';
import { app, emptyApp, runEnded } from '../documents/app.ts';
import { appChanged } from '../documents/apps.ts';
import { auditLog } from '../documents/audit-log.ts';
import { holds, noHolds } from '../documents/holds.ts';
import { keyIssued, keys, noKeys } from '../documents/keys.ts';
import { viewer } from '../documents/session.ts';
import { newWallet, wallet, walletChanged } from '../documents/wallet.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/apps/search';
const documents = (of: AppPage = app) => ({
  '/apps/search': { body: of, etag: '"as-seen"' },
  '/apps/search/holds': { body: holds },
  '/apps/search/keys': { body: keys },
  '/apps/search/wallets/u7': { body: wallet },
  '/audit-log': { body: auditLog },
});

test('an app has a budget whose parts add up, and all budgets that count its calls', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('Reserved for 1 call $1.20'));
  expect(page.heading()).toBe('search');
  expect(page.content()).toContain('Enabled from the configuration file · 24,690 calls today');
  // Exactly 48.109, 1.2 and 0.691: the shown amounts add up to the budget.
  expect(page.content()).toContain('Spent $48.10');
  expect(page.content()).toContain('Remaining $0.70 Daily budget $50.00');
  expect(page.content()).toContain('Within budget: about $76.97 by midnight UTC');
  expect(page.content()).toContain('The last hour, until midnight UTC');
  expect(page.table('Budgets')).toEqual([
    {
      ...{
        Budget: 'This app, daily',
        'When used up': 'Rejects calls',
        Limit: '$50.00',
        Used: '98%',
      },
      ...{
        Spent: '$48.10',
        Reserved: '$1.20',
        Remaining: '$0.70 left',
        'Resets (UTC)': 'in 9 h 0 min',
      },
    },
    {
      ...{ Budget: 'Group research, monthly', 'When used up': 'Shadow', Used: '68%' },
      ...{ Limit: '$900.00', Spent: '$611.50', Reserved: '$2.00', Remaining: '$286.50 left' },
      'Resets (UTC)': 'Dec 1',
    },
  ]);
  expect(page.alerts()).toEqual([]);
});

test('an app has its days, keys, refusals by reason, running calls and runs', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Keys of this app')).toHaveLength(2));
  await waitFor(() => expect(page.table('Running calls')).toBeDefined());
  expect(page.table('Keys of this app')).toMatchObject([
    { Key: 'key_1 the crawler', State: 'Active', 'Spent today': '$47.00' },
    { Key: 'key_2 bob@acme.example', State: 'Disabled', 'Last used': 'Never' },
  ]);
  expect(page.table('Running calls')).toEqual([
    {
      ...{ Call: 'call_9', Since: '14:59:58 UTC', User: 'u7', Key: 'key_1' },
      ...{ Model: 'gpt-5.4', Reserved: '$1.20', Until: '15:10:00 UTC' },
    },
  ]);
  await page.unfold('Show as a table');
  await waitFor(() =>
    expect(page.table('Spend by day')).toEqual([
      { 'Day (UTC)': 'Nov 21', Total: '$31.25' },
      { 'Day (UTC)': 'Nov 22', Total: '$48.10' },
    ]),
  );
  expect(page.content()).toContain('36,691 calls');
  expect(page.content()).toContain('Budget used up The budget of the day is used up 1,012');
  expect(page.link('1,012 requests: Budget used up in search')).toBe(
    '/console/calls?app=search&code=BUDGET_EXCEEDED',
  );
  expect(page.table('Runs of this app')).toEqual([
    {
      ...{ Run: 'nightly index', User: 'u7', 'Run budget': '$3.00', Spent: '$1.25' },
      ...{
        Reserved: '$0.25',
        Remaining: '$1.50',
        Until: 'Nov 22, 18:00:00 UTC',
        Actions: 'End run…',
      },
    },
  ]);
  expect(page.link('Nov 21')).toBe(
    '/console/calls?app=search&since=2026-11-21T00%3A00%3A00Z&until=2026-11-22T00%3A00%3A00Z',
  );
  expect(
    document.querySelector('.tabs a[href="/console/spend?app=search&by=model"]'),
  ).not.toBeNull();
});

test('the hours of a reason are one line, and its whole message is on hover', async () => {
  const [refusal] = app.refusals;
  if (refusal === undefined) throw new Error('the app has a refusal');
  const lastMessage = 'The budget of the day is used up. '.repeat(9).trim();
  const refusals = [
    { ...refusal, lastMessage },
    { ...refusal, at: '2026-11-22T13:00:00.000Z', count: 8 },
  ];
  const page = openPage(address, documents({ ...app, refusals }));
  await waitFor(() => expect(page.content()).toContain('1,020 last 14:59:30 UTC'));
  expect(document.querySelector('.clamp')?.getAttribute('title')).toBe(lastMessage);
  expect(document.querySelectorAll('.clamp')).toHaveLength(1);
});

test.each([
  {
    name: 'will be used up',
    page: { ...app, forecast: { ...app.forecast, exhaustedAt: '2026-11-22T17:05:00.000Z' } },
    text: 'Forecast to reach its budget at about 17:05:00 UTC. After that, calls are rejected until 00:00:00',
  },
  {
    name: 'is used up',
    page: {
      ...app,
      usage: {
        ...app.usage,
        budget: app.usage.budget && { ...app.usage.budget, remainingUsd: '0' },
      },
      forecast: { ...app.forecast, exhaustedAt: '2026-11-22T14:21:08.000Z' },
    },
    text: 'Used up since 14:21:08 UTC. Calls are rejected until 00:00:00 UTC.',
  },
  {
    name: 'is of a disabled app',
    page: { ...app, settings: { ...app.settings, enabled: false } },
    text: 'This app is disabled. Its keys are rejected.',
  },
])('a budget that $name reports this first', async ({ page: of, text }) => {
  const page = openPage(address, documents(of));
  await waitFor(() => expect(page.content()).toContain(text));
  expect(page.has('Raise budget of search')).toBe(of.settings.enabled);
});

test('an app has its settings as a list, and its projects', async () => {
  const page = openPage(`${address}?tab=settings`, documents());
  await waitFor(() => expect(page.table('Billing projects')).toBeDefined());
  expect(facts()).toEqual({
    ...{ 'Daily budget': '$50.00', 'Monthly budget': '$900.50' },
    ...{ 'Daily budget per user': '$0.75', Models: 'gpt-5.4, claude-opus' },
    'Rate limit, users': '5 per second, burst 10, 20,000 per day',
    'Rate limit, admins': '50 per second, burst 10, 20,000 per day',
    ...{ 'Rate limit, all keys': '20 per second', 'Maximum active keys': '1,500' },
    ...{ Credits: '400 per user and month, $0.02 each', 'Models without a price': 'Reject' },
    ...{ Streaming: 'Off', 'Default maxTokens': '2,048', 'Stores responses for retries': 'On' },
    ...{ Tags: 'team: finders', 'Created by': 'Configuration file' },
    'Differs from the file': 'daily budget: 50, the file has 20',
  });
  expect(page.table('Billing projects')).toEqual([{ Platform: 'openai', Project: 'proj_9' }]);
});

test('keys and activity have their own tabs, stored in the address', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(tabLink('activity')).not.toBeNull());
  tabLink('activity')?.click();
  await waitFor(() => expect(page.address()).toBe(`${address}?tab=activity`));
  await waitFor(() => expect(page.content()).toContain('ada@acme.example'));
  expect(page.asked.map(({ path }) => path)).toContain('/audit-log?subject=search');
});

function tabLink(tab: string): HTMLAnchorElement | null {
  return document.querySelector<HTMLAnchorElement>(`.tabs a[href$="tab=${tab}"]`);
}

/** Clicks the confirm button of the open dialog. */
function submit(): void {
  document.querySelector<HTMLButtonElement>('dialog button[type=submit]')?.click();
}

test('a key is issued, and its secret stays until it is stored', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /apps/search/keys': { body: keyIssued },
  });
  await page.click('Issue key');
  await page.fill('Owner email', 'ada@acme.example');
  await page.fill('Reason', 'a new crawler');
  submit();
  await waitFor(() => expect(page.content()).toContain('mgk_the_secret'));
  expect(page.sent()).toEqual([
    ['POST /apps/search/keys', { email: 'ada@acme.example', reason: 'a new crawler' }],
  ]);
});

test('the budget is changed in a dialog that shows the remaining amount', async () => {
  const page = openPage(address, { ...documents(), 'PATCH /apps/search': { body: appChanged } });
  await page.click('Change budget of search');
  await page.fill('USD per day', '80');
  await waitFor(() => expect(page.content()).toContain('Remaining today: $0.691 becomes $30.69'));
  await page.fill('Reason', 'the launch');
  submit();
  await waitFor(() => expect(page.sent()).toHaveLength(1));
  expect(page.sent()).toEqual([
    ['PATCH /apps/search', { settings: { dailyBudgetUsd: '80' }, reason: 'the launch' }],
  ]);
});

test('an app is disabled from its menu, after its name is typed', async () => {
  const page = openPage(address, { ...documents(), 'PATCH /apps/search': { body: appChanged } });
  await page.click('Disable app…');
  await page.fill('Reason', 'a leak');
  await page.fill('Type search to confirm', 'search');
  submit();
  await waitFor(() => expect(page.sent()).toHaveLength(1));
  expect(page.sent()).toEqual([
    ['PATCH /apps/search', { settings: { enabled: false }, reason: 'a leak', confirm: 'search' }],
  ]);
});

test('a viewer has no actions', async () => {
  const page = openPage(address, documents(), { session: viewer });
  await waitFor(() => expect(page.table('Runs of this app')).toBeDefined());
  for (const name of ['Issue key', 'Change budget of search', 'Disable app…', 'End run…']) {
    expect(page.has(name), name).toBe(false);
  }
});

test('an open run is ended', async () => {
  const page = openPage(address, { ...documents(), 'POST /runs/run_1/end': { body: runEnded } });
  await page.click('End run…');
  await page.fill('Reason', 'it hangs');
  submit();
  await waitFor(() => expect(document.querySelector('dialog')).toBeNull());
  expect(page.sent()).toEqual([['POST /runs/run_1/end', { reason: 'it hangs' }]]);
});

test('a wallet is found by its user, and topped up', async () => {
  const path = '/apps/search/wallets/u7/entries';
  const page = openPage(address, { ...documents(), [`POST ${path}`]: { body: walletChanged } });
  await waitFor(() => expect(page.content()).toContain('400 credits per user and month'));
  await page.fill('User', 'u7');
  await waitFor(() => expect(page.content()).toContain('325 credits left in November'));
  expect(facts()).toMatchObject({
    Granted: '400',
    'Topped up': '50',
    Spent: '123.5',
    Reserved: '1.5',
  });
  expect(page.address()).toBe('/console/apps/search?user=u7');
  expect(page.content()).toContain('50 credits Nov 20, 09:00:00 UTC');
  expect(page.content()).toContain('order-1 · ada@acme.example · bought');
  await page.click('Top up…');
  await page.fill('Credits to add', '25');
  await page.fill('Reason', 'bought again');
  await page.click('Top up');
  await waitFor(() => expect(page.has('Top up')).toBe(false));
  expect(page.sent()).toEqual([[`POST ${path}`, { reason: 'bought again', credits: '25' }]]);
});

test('the wallet of a user without calls shows a question about the id', async () => {
  const answers = { ...documents(), '/apps/search/wallets/u7': { body: newWallet } };
  const page = openPage(`${address}?user=u7`, answers);
  await waitFor(() => expect(page.content()).toContain('400 credits left in November'));
  expect(page.content()).toContain('This user has no calls yet. Check the id.');
  expect(page.content()).toContain('No top-ups yet.');
});

test('an empty app explains how to fill each part', async () => {
  const page = openPage('/console/apps/tutor', {
    '/apps/tutor': { body: emptyApp },
    '/apps/tutor/holds': { body: noHolds },
    '/apps/tutor/keys': { body: noKeys },
  });
  const texts = [
    'No daily budget Calls are counted but never rejected for cost.',
    'No budgets for this app',
    'No running calls The maximum cost of each running call is reserved and appears here.',
    'No rejected requests',
    'No keys Issue a key to let this app make calls.',
    'No open runs',
    'No calls today',
  ];
  for (const text of texts) await waitFor(() => expect(page.content()).toContain(text));
  expect(facts()).toMatchObject({ Models: 'All' });
  expect(page.content()).not.toContain('Wallets');
  expect(page.content()).not.toContain('Last 30 days');
});

test('a missing app has a reason, and a way back', async () => {
  const error = { code: 'NOT_FOUND', message: 'There is no app search' };
  const page = openPage(address, { '/apps/search': { status: 404, body: { error } } });
  await waitFor(() => expect(page.alerts()).toEqual(['There is no app search Try again']));
  expect(page.link('Apps')).toBe('/console/apps');
});

test('unreadable running calls leave the rest in its place', async () => {
  const { '/apps/search/holds': _, ...others } = documents();
  const page = openPage(address, others);
  await waitFor(() => expect(page.table('Keys of this app')).toHaveLength(2));
  await waitFor(() =>
    expect(page.alerts()).toEqual(['The test has no answer to /apps/search/holds Try again']),
  );
});

test.each(failures)('an app shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(2));
});
