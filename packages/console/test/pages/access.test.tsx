import { expect, test } from 'vitest';
import { issuedToken, noSessions, noTokens, roles, sessions, tokens } from '../documents/access.ts';
import { viewer } from '../documents/session.ts';
import { noWebhooks, webhooks, webhookTested } from '../documents/webhooks.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/access';
const ops = 'ops https://hooks.example · slack';
const documents = () => ({
  '/sessions': { body: sessions },
  '/tokens': { body: tokens },
  '/roles': { body: roles },
  '/webhooks': { body: webhooks },
});

test('Access has the sessions, the tokens, the roles and the webhooks', async () => {
  const page = openPage(address, documents());
  for (const caption of ['Active sessions', 'API tokens', 'Roles', 'Webhook deliveries']) {
    await waitFor(() => expect(page.table(caption)).toBeDefined());
  }
  expect(page.heading()).toBe('Access');
  expect(page.content()).toContain(
    'Signed in as ada@acme.example, operator, until Nov 22, 20:00:00 UTC',
  );
  expect(page.table('Active sessions')).toEqual([
    {
      ...{ Name: 'ada@acme.example (this session)', Role: 'operator', Apps: 'all apps' },
      ...{ 'Since (UTC)': 'Nov 22, 12:00:00', 'Ends (UTC)': 'Nov 22, 20:00:00' },
      ...{ 'Last seen (UTC)': 'Last seen Nov 22, 15:00:00 UTC', Actions: 'You' },
    },
    {
      ...{ Name: 'tom@acme.example', Role: 'team', Apps: 'tutor', Actions: 'End…' },
      ...{ 'Since (UTC)': 'Nov 22, 13:00:00', 'Ends (UTC)': 'Nov 22, 21:00:00' },
      'Last seen (UTC)': 'Last seen Nov 22, 14:00:00 UTC',
    },
  ]);
  expect(page.table('API tokens')).toEqual([
    {
      ...{ Token: 'nightly report t_1', Role: 'finance', Apps: 'all apps', State: 'Active' },
      ...{ 'Created (UTC)': 'Nov 1, 00:00:00', 'Expires (UTC)': 'Jan 30, 00:00:00' },
      Actions: 'Disable…',
    },
  ]);
  expect(page.table('Roles')).toEqual([
    {
      ...{ Permission: 'Today, Health, Models', viewer: 'yes', team: 'yes', finance: 'yes' },
      'operator (you)': 'yes',
    },
    {
      ...{ Permission: 'Correct a cost', viewer: 'no', team: 'no', finance: 'yes' },
      'operator (you)': 'yes',
    },
  ]);
  expect(page.table('Webhook deliveries')).toEqual([
    {
      ...{ Webhook: 'ops https://hooks.example · slack', State: 'On, last error: answered 500' },
      ...{ Events: 'budget.used · budgets at 80%, 100%', Apps: 'search', Waiting: '2' },
      ...{ Delivered: '1,204 delivered', Abandoned: '1 abandoned', Actions: 'Send test event' },
    },
    {
      ...{ Webhook: 'old', State: 'Gone', Events: '–', Apps: 'all apps', Waiting: '0' },
      ...{ Delivered: '9 delivered', Abandoned: '0 abandoned', Actions: '' },
    },
  ]);
  expect(page.alerts()).toEqual([]);
});

test('a token is issued for a team, and its secret stays until it is stored', async () => {
  const page = openPage(address, { ...documents(), 'POST /tokens': { body: issuedToken } });
  await page.click('Issue token…');
  await page.fill('Purpose', 'weekly report');
  await page.fill('Role', 'team');
  await page.fill('Apps', 'search, tutor');
  await page.fill('Days', '30');
  await page.fill('Reason', 'a new script');
  await page.click('Issue token');
  await waitFor(() => expect(page.content()).toContain('The token: mgt_the_secret'));
  expect(page.sent()).toEqual([
    [
      'POST /tokens',
      {
        ...{ name: 'weekly report', role: 'team', apps: ['search', 'tutor'], days: 30 },
        reason: 'a new script',
      },
    ],
  ]);
  await page.click('I have saved it');
  await waitFor(() => expect(page.content()).not.toContain('mgt_the_secret'));
});

test('the session of another person is ended', async () => {
  const done = { body: { done: true } };
  const page = openPage(address, { ...documents(), 'DELETE /sessions/s_2': done });
  await page.click('End…', 'tom@acme.example');
  await page.fill('Reason', 'a lost laptop');
  await page.click('End session');
  await waitFor(() => expect(page.has('End session')).toBe(false));
  expect(page.sent()).toEqual([['DELETE /sessions/s_2', { reason: 'a lost laptop' }]]);
});

test('a token is disabled from the menu of its row', async () => {
  const done = { body: { done: true } };
  const page = openPage(address, { ...documents(), 'POST /tokens/t_1/disable': done });
  await page.click('Disable…', 'nightly report t_1');
  await page.fill('Reason', 'the script is gone');
  await page.click('Disable token');
  await waitFor(() => expect(page.has('Disable token')).toBe(false));
  expect(page.sent()).toEqual([['POST /tokens/t_1/disable', { reason: 'the script is gone' }]]);
});

test('all events of a webhook are in the title of the lines that show them', async () => {
  const [webhook] = webhooks.items;
  const events = Array.from({ length: 9 }, (_, at) => `event.number-${at}`);
  const body = { items: [{ ...webhook, events }], after: null };
  const page = openPage(address, { ...documents(), '/webhooks': { body } });
  await waitFor(() => expect(page.table('Webhook deliveries')).toHaveLength(1));
  const cell = document.querySelector<HTMLElement>('.lines[title*="number-8"]');
  expect(cell?.title).toBe(`${events.join(', ')} · budgets at 80%, 100%`);
});

test('a webhook is tested, and its receiver’s response is shown', async () => {
  const answers = { ...documents(), 'POST /webhooks/ops/test': { body: webhookTested } };
  const page = openPage(address, answers);
  await page.click('Send test event', ops);
  await waitFor(() => expect(page.content()).toContain('ops accepted the test event with 204.'));
  const words = { ...webhookTested, isDelivered: false, status: 403, words: 'no' };
  answers['POST /webhooks/ops/test'] = { body: words };
  await page.click('Send test event', ops);
  await waitFor(() =>
    expect(page.content()).toContain('The test event to ops failed: rejected with 403: no'),
  );
});

test('a viewer sees no sessions and no tokens', async () => {
  const page = openPage(address, documents(), { session: viewer });
  await waitFor(() => expect(page.table('Webhook deliveries')).toHaveLength(2));
  expect(page.content()).toContain('Signed in as vera@acme.example, viewer');
  expect(page.content()).not.toContain('Sessions');
  expect(page.has('Send test event')).toBe(false);
  expect(page.asked.map(({ path }) => path)).not.toContain('/sessions');
});

test('Access explains how to fill each empty part', async () => {
  const page = openPage(address, {
    '/sessions': { body: noSessions },
    '/tokens': { body: noTokens },
    '/roles': { body: roles },
    '/webhooks': { body: noWebhooks },
  });
  const texts = [
    'No active sessions Each login appears here until it ends.',
    'No API tokens Scripts need a token to call the admin API.',
    'No webhooks Add one to the configuration under notify.',
  ];
  for (const text of texts) await waitFor(() => expect(page.content()).toContain(text));
});

test.each(failures)('Access shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Active sessions')).toHaveLength(2);
  expect(page.table('Webhook deliveries')).toHaveLength(2);
});
