import { expect, test } from 'vitest';
import { app, emptyApp, runEnded } from '../documents/app.ts';
import { auditLog, noAuditLog } from '../documents/audit-log.ts';
import { holds, noHolds } from '../documents/holds.ts';
import { keyIssued, keys, noKeys } from '../documents/keys.ts';
import { newWallet, wallet, walletChanged } from '../documents/wallet.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/apps/search';
const documents = () => ({
  '/apps/search': { body: app, etag: '"as-seen"' },
  '/apps/search/holds': { body: holds },
  '/apps/search/keys': { body: keys },
  '/apps/search/wallets/u7': { body: wallet },
  '/audit-log': { body: auditLog },
});

test('an app has its budgets, running calls, days, rejected requests and runs', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Keys')).toHaveLength(2));
  await waitFor(() => expect(page.table('Audit log')).toHaveLength(2));
  await waitFor(() => expect(page.table('Running calls')).toBeDefined());
  expect(page.heading()).toBe('search');
  expect(page.table('Budgets')).toEqual([
    {
      ...{ Budget: 'search, this day', Acts: 'refuses', Cap: '$50.00', Spent: '$48.10' },
      ...{ Held: '$1.20', Left: '$0.69', Resets: '2026-11-23 00:00:00 UTC' },
    },
    {
      ...{ Budget: 'group research', Acts: 'only counts', Cap: '$900.00', Spent: '$611.50' },
      ...{ Held: '$2.00', Left: '$286.50', Resets: '2026-12-01 00:00:00 UTC' },
    },
  ]);
  expect(page.content()).toContain(
    'Spent today $48.10 · held $1.20 · at this pace $76.97 by midnight UTC',
  );
  expect(page.table('Running calls')).toEqual([
    {
      ...{ Call: 'call_9', Since: '2026-11-22 14:59:58 UTC', User: 'u7', Key: 'key_1' },
      ...{ Model: 'gpt-5.4', Held: '$1.20', Until: '2026-11-22 15:10:00 UTC' },
    },
  ]);
  expect(page.table('Cost a day, USD')).toEqual([
    { Day: '2026-11-21', Total: '$31.25' },
    { Day: '2026-11-22', Total: '$48.109' },
  ]);
  expect(page.table('Calls a day')).toEqual([
    { Day: '2026-11-21', Calls: '12,001' },
    { Day: '2026-11-22', Calls: '24,690' },
  ]);
  expect(page.table('Refusals')).toMatchObject([
    { Code: 'BUDGET_EXCEEDED', Refused: '1,012', 'Last request': 'req_7' },
  ]);
  expect(page.table('Projects')).toEqual([{ Platform: 'openai', Project: 'proj_9' }]);
  expect(page.table('Open runs')).toEqual([
    {
      ...{ Run: 'nightly index', User: 'u7', Cap: '$3.00', Spent: '$1.25', Held: '$0.25' },
      ...{ Left: '$1.50', Until: '2026-11-22 18:00:00 UTC', End: 'End…' },
    },
  ]);
  expect(page.alerts()).toEqual([]);
});

test('an app has its settings and the links to its calls', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('Settings'));
  expect(facts()).toEqual({
    ...{ Models: 'gpt-5.4, claude-opus', 'Plan of users': '5 a second, 10 at once, 20,000 a day' },
    ...{ 'Plan of admins': '50 a second, 10 at once, 20,000 a day', 'Each user, a day': '$0.75' },
    ...{ 'Rate of all keys': '20 a second', 'Keys at most': '1,500' },
    ...{ Credits: '400 a month and user, $0.02 each', 'Unpriced models': 'refuse' },
    ...{ Streams: 'off', 'Default of maxTokens': '2048', 'Keeps answers for repeats': 'yes' },
    ...{ Tags: 'team: finders', 'Made by': 'the configuration file' },
    'Not as the file says': 'dailyBudgetUsd: 50, the file has 20',
  });
  expect(page.link('This month by model')).toBe('/console/spend?app=search&by=model');
  expect(page.link('BUDGET_EXCEEDED')).toBe('/console/calls?app=search&code=BUDGET_EXCEEDED');
  expect(page.link('2026-11-21')).toBe(
    '/console/calls?app=search&since=2026-11-21T00%3A00%3A00Z&until=2026-11-22T00%3A00%3A00Z',
  );
});

test('a key is issued, and its secret stays until it is stored', async () => {
  const page = openPage(address, {
    ...documents(),
    'POST /apps/search/keys': { body: keyIssued },
  });
  await page.click('Issue key…');
  await page.fill('E-mail', 'ada@acme.example');
  await page.fill('Models', 'gpt-5.4, claude-opus');
  await page.fill('Reason', 'a new crawler');
  await page.click('Issue the key');
  await waitFor(() => expect(page.content()).toContain('The key: mgk_the_secret'));
  expect(page.content()).toContain('It is shown now and never again.');
  expect(page.sent()).toEqual([
    [
      'POST /apps/search/keys',
      {
        ...{ email: 'ada@acme.example', reason: 'a new crawler' },
        models: ['gpt-5.4', 'claude-opus'],
      },
    ],
  ]);
  await page.click('I have stored it');
  await waitFor(() => expect(page.content()).not.toContain('mgk_the_secret'));
});

test('an open run is ended', async () => {
  const page = openPage(address, { ...documents(), 'POST /runs/run_1/end': { body: runEnded } });
  await page.click('End…', 'nightly index');
  await page.fill('Reason', 'it hangs');
  await page.click('End the run');
  await waitFor(() => expect(page.has('End the run')).toBe(false));
  expect(page.sent()).toEqual([['POST /runs/run_1/end', { reason: 'it hangs' }]]);
});

test('a wallet is found by its user, and topped up', async () => {
  const place = '/apps/search/wallets/u7/entries';
  const page = openPage(address, { ...documents(), [`POST ${place}`]: { body: walletChanged } });
  await waitFor(() => expect(page.content()).toContain('once you name one.'));
  await page.fill('User', 'u7');
  await waitFor(() => expect(page.content()).toContain('2026-11: 325 credits left'));
  expect(page.content()).toContain('granted 400 · topped up 50 · spent 123.5 · held 1.5');
  expect(page.address()).toBe('/console/apps/search?user=u7');
  expect(page.table('Top-ups of u7')).toEqual([
    {
      ...{ At: '2026-11-20 09:00:00 UTC', Credits: '50', Reference: 'order-1' },
      ...{ By: 'ada@acme.example', Reason: 'bought' },
    },
  ]);
  await page.click('Top up…');
  await page.fill('Credits to add', '25');
  await page.fill('Reason', 'bought again');
  await page.click('Top up');
  await waitFor(() => expect(page.has('Top up')).toBe(false));
  expect(page.sent()).toEqual([[`POST ${place}`, { reason: 'bought again', credits: '25' }]]);
});

test('a wallet that was never topped up says what is there otherwise', async () => {
  const answers = { ...documents(), '/apps/search/wallets/u7': { body: newWallet } };
  const page = openPage(`${address}?user=u7`, answers);
  await waitFor(() => expect(page.content()).toContain('2026-11: 400 credits left'));
  expect(page.content()).toContain('Never topped up. What is added or taken back is here');
});

test('an app that has nothing says of each part how it comes', async () => {
  const page = openPage('/console/apps/tutor', {
    '/apps/tutor': { body: emptyApp },
    '/apps/tutor/holds': { body: noHolds },
    '/apps/tutor/keys': { body: noKeys },
    '/audit-log': { body: noAuditLog },
  });
  const texts = [
    'No budget: its calls are counted and never refused for money. Change budget… gives it one.',
    'Nothing is held: no call runs.',
    'Nothing was refused.',
    'No key. One that is issued is here',
    'Bound to no project.',
    'No run is open. One that the app begins (POST /v1/runs) is here',
    'Nothing was changed. Each change of an operator is a line here, with who and why.',
  ];
  for (const text of texts) await waitFor(() => expect(page.content()).toContain(text));
  expect(page.content()).toContain('Spent today $0.00 · held $0.00');
  expect(facts()).toMatchObject({ Models: 'every model of the catalog', Tags: 'none' });
  expect(page.content()).not.toContain('Wallets');
});

test('an app that is not there is said not to be', async () => {
  const error = { code: 'NOT_FOUND', message: 'There is no app search' };
  const page = openPage(address, {
    '/apps/search': { status: 404, body: { error } },
    '/audit-log': { body: noAuditLog },
  });
  await waitFor(() => expect(page.alerts()).toEqual(['There is no app search Try again']));
  expect(page.link('Apps')).toBe('/console/apps');
});

test('running calls that cannot be read leave the rest in its place', async () => {
  const { '/apps/search/holds': _, ...others } = documents();
  const page = openPage(address, others);
  await waitFor(() => expect(page.table('Keys')).toHaveLength(2));
  await waitFor(() =>
    expect(page.alerts()).toEqual(['The test has no answer to /apps/search/holds Try again']),
  );
});

test.each(failures)('an app shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  await waitFor(() => expect(page.table('Budgets')).toHaveLength(2));
  expect(page.table('Audit log')).toHaveLength(2);
});
