import { expect, test } from 'vitest';
import { issuedToken, noSessions, noTokens, roles, sessions, tokens } from '../documents/access.ts';
import { viewer } from '../documents/session.ts';
import { hookTested, noWebhooks, webhooks } from '../documents/webhooks.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/access';
const documents = () => ({
  '/sessions': { body: sessions },
  '/tokens': { body: tokens },
  '/roles': { body: roles },
  '/webhooks': { body: webhooks },
});

test('Access has the sessions, the tokens, the roles and the webhooks', async () => {
  const page = openPage(address, documents());
  for (const caption of ['Sessions', 'Tokens', 'Roles', 'Webhooks']) {
    await waitFor(() => expect(page.table(caption)).toBeDefined());
  }
  expect(page.heading()).toBe('Access');
  expect(page.content()).toContain(
    'You are ada@acme.example, operator, until 2026-11-22 20:00:00 UTC.',
  );
  expect(page.table('Sessions')).toEqual([
    {
      ...{ Who: 'ada@acme.example (this one)', Role: 'operator', Apps: 'all', End: '' },
      ...{ Since: '2026-11-22 12:00:00 UTC', Seen: '2026-11-22 15:00:00 UTC' },
      Until: '2026-11-22 20:00:00 UTC',
    },
    {
      ...{ Who: 'tom@acme.example', Role: 'team', Apps: 'tutor', End: 'End…' },
      ...{ Since: '2026-11-22 13:00:00 UTC', Seen: '2026-11-22 14:00:00 UTC' },
      Until: '2026-11-22 21:00:00 UTC',
    },
  ]);
  expect(page.table('Tokens')).toEqual([
    {
      ...{ Token: 'nightly report · t_1', Role: 'finance', Apps: 'all', State: 'works' },
      ...{ Made: '2026-11-01 00:00:00 UTC', Until: '2027-01-30 00:00:00 UTC' },
      Disable: 'Disable…',
    },
  ]);
  expect(page.table('Roles')).toEqual([
    { May: 'Today, Health, Models', viewer: 'yes', team: 'yes', finance: 'yes', operator: 'yes' },
    { May: 'correct a cost', viewer: 'no', team: 'no', finance: 'yes', operator: 'yes' },
  ]);
  expect(page.table('Webhooks')).toEqual([
    {
      ...{ Webhook: 'ops', State: 'on', To: 'https://hooks.example · slack', Of: 'search' },
      ...{ 'Told of': 'budget.used, 80 %, 100 %', Delivered: '1,204', Waiting: '2' },
      ...{ 'Given up': '1', 'Last error': 'answered 500', Try: 'Send a test' },
    },
    {
      ...{ Webhook: 'old', State: 'gone', To: '', Of: 'all apps', 'Told of': '' },
      ...{ Delivered: '9', Waiting: '0', 'Given up': '0', 'Last error': '–', Try: '' },
    },
  ]);
  expect(page.alerts()).toEqual([]);
});

test('a token is issued for a team, and its secret stays until it is stored', async () => {
  const page = openPage(address, { ...documents(), 'POST /tokens': { body: issuedToken } });
  await page.click('Issue token…');
  await page.fill('Name', 'weekly report');
  await page.fill('Role', 'team');
  await page.fill('Apps', 'search, tutor');
  await page.fill('Days', '30');
  await page.fill('Reason', 'a new script');
  await page.click('Issue the token');
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
  await page.click('I have stored it');
  await waitFor(() => expect(page.content()).not.toContain('mgt_the_secret'));
});

test('the session of another person is ended', async () => {
  const done = { body: { done: true } };
  const page = openPage(address, { ...documents(), 'DELETE /sessions/s_2': done });
  await page.click('End…', 'tom@acme.example');
  await page.fill('Reason', 'a lost laptop');
  await page.click('End the session');
  await waitFor(() => expect(page.has('End the session')).toBe(false));
  expect(page.sent()).toEqual([['DELETE /sessions/s_2', { reason: 'a lost laptop' }]]);
});

test('a webhook is tried, and what its receiver answered is shown', async () => {
  const answers = { ...documents(), 'POST /webhooks/ops/test': { body: hookTested } };
  const page = openPage(address, answers);
  await page.click('Send a test to ops');
  await waitFor(() => expect(page.content()).toContain('Delivered, answered 204'));
  const words = { ...hookTested, isDelivered: false, status: 403, words: 'no' };
  answers['POST /webhooks/ops/test'] = { body: words };
  await page.click('Send a test to ops');
  await waitFor(() => expect(page.content()).toContain('Refused with 403: no'));
});

test('a viewer has no sessions and no tokens to look at', async () => {
  const page = openPage(address, documents(), { who: viewer });
  await waitFor(() => expect(page.table('Webhooks')).toHaveLength(2));
  expect(page.content()).toContain('You are vera@acme.example, viewer');
  expect(page.content()).not.toContain('Sessions');
  expect(page.has('Send a test to ops')).toBe(false);
  expect(page.asked.map(({ path }) => path)).not.toContain('/sessions');
});

test('Access says of each part that is empty how it comes', async () => {
  const page = openPage(address, {
    '/sessions': { body: noSessions },
    '/tokens': { body: noTokens },
    '/roles': { body: roles },
    '/webhooks': { body: noWebhooks },
  });
  const texts = [
    'No session. Each login is here until it ends.',
    'No token. A script that asks the admin API needs one, with a role and an end.',
    'None. Those that the configuration names under notify are here',
  ];
  for (const text of texts) await waitFor(() => expect(page.content()).toContain(text));
});

test.each(failures)('Access shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Sessions')).toHaveLength(2);
  expect(page.table('Webhooks')).toHaveLength(2);
});
