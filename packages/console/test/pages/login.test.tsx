import { expect, test } from 'vitest';
import { overview } from '../documents/overview.ts';
import { invoiceImported, reconciled } from '../documents/reconciled.ts';
import { operator, viewer } from '../documents/session.ts';
import { spend } from '../documents/spend.ts';
import { failures } from '../support/failures.ts';
import { type Documents, openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const refusal = (more: object = {}) => {
  const error = { code: 'UNAUTHENTICATED', message: 'Log in', ...more };
  return { status: 401, body: { error } };
};
const loggedIn = (pageSecret: string | null) => ({ body: { ...operator, pageSecret } });
const documents = () => ({ '/session': refusal(), '/overview': { body: overview } });

test('a typed code opens the requested page', async () => {
  const page = openPage('/console/', { ...documents(), 'POST /session': loggedIn(null) });
  await waitFor(() => expect(page.heading()).toBe('Log in'));
  await page.fill('One-time code', ' http://127.0.0.1:8788/console/login#code=mgl_abc ');
  await page.click('Log in');
  await waitFor(() => expect(page.heading()).toBe('Today'));
  expect(page.sent()).toEqual([['POST /session', { code: 'mgl_abc' }]]);
});

test('a user without a code sees how to get one', async () => {
  const page = openPage('/console/', documents());
  await waitFor(() => expect(page.content()).toContain('npx model-gateway console login'));
  expect(page.content()).toContain('run this on the gateway’s machine:');
  expect(page.has('Log in with your company account')).toBe(false);
  expect(page.has('Today')).toBe(false);
});

test('the company account is offered if it is enabled', async () => {
  const answers = { '/session': refusal({ now: { oidc: true } }) };
  const page = openPage('/console/calls?app=search', answers);
  await waitFor(() =>
    expect(page.link('Log in with your company account')).toBe(
      '/admin/v1/login/oidc?back=%2Fconsole%2Fcalls%3Fapp%3Dsearch',
    ),
  );
});

test('a wrong code is reported, and another can be typed', async () => {
  const error = { code: 'UNAUTHENTICATED', message: 'The code is wrong or was used' };
  const answers = { ...documents(), 'POST /session': { status: 401, body: { error } } };
  const page = openPage('/console/', answers);
  await page.fill('One-time code', 'mgl_old');
  await page.click('Log in');
  await waitFor(() => expect(page.alerts()).toEqual(['The code is wrong or was used']));
  await page.click('Log in');
  await waitFor(() => expect(page.sent()).toHaveLength(2));
});

test.each(failures)('a session that $name is read again', async ({ answer, message }) => {
  const answers: Documents = { ...documents(), '/session': answer };
  const page = openPage('/console/', answers);
  await waitFor(() => expect(page.alerts()).toEqual([message]));
  answers['/session'] = { body: operator };
  await page.click('Try again');
  await waitFor(() => expect(page.heading()).toBe('Today'));
});

const secretsSent = (page: ReturnType<typeof openPage>, path: string) =>
  page.asked
    .filter((request) => request.path === path)
    .map(({ headers }) => headers.get('x-console-secret'));

test('the secret of a login is sent with each request, until the logout', async () => {
  const answers: Documents = { ...documents(), 'POST /session': loggedIn('id_secret') };
  const page = openPage('/console/', { ...answers, 'DELETE /session': { body: { done: true } } });
  await page.fill('One-time code', 'mgl_abc');
  await page.click('Log in');
  await waitFor(() => expect(secretsSent(page, '/overview')).toContain('id_secret'));
  expect(Object.values({ ...page.window.localStorage })).toContain('id_secret');
  await page.click('Log out');
  await waitFor(() => expect(page.heading()).toBe('Log in'));
  expect(Object.values({ ...page.window.localStorage })).not.toContain('id_secret');
});

test('a company login brings the secret behind the #, which leaves the address', async () => {
  const sessions = [refusal(), { body: operator }];
  const answers = {
    '/overview': { body: overview },
    get '/session'() {
      return sessions.shift();
    },
  };
  const page = openPage('/console/?a=1#secret=id_5ecret', answers);
  await waitFor(() => expect(page.heading()).toBe('Today'));
  expect(secretsSent(page, '/session')).toEqual([null, 'id_5ecret']);
  expect(page.window.location.hash).toBe('');
  expect(page.address()).toBe('/console/?a=1');
});

test('a link with a secret does not replace the secret of a session', async () => {
  const page = openPage('/console/#secret=id_5ecret', { '/overview': { body: overview } });
  await waitFor(() => expect(page.heading()).toBe('Today'));
  expect(page.window.location.hash).toBe('');
  expect(page.asked.map(({ headers }) => headers.get('x-console-secret'))).not.toContain(
    'id_5ecret',
  );
});

test('a stream of events that is rejected shows the login', async () => {
  const answers = { '/overview': { body: overview }, '/events': refusal() };
  const page = openPage('/console/', answers);
  await waitFor(() => expect(page.heading()).toBe('Log in'));
  expect(page.content()).toContain('session ended');
});

/** Reconcile with a dialog with typed input, after the session has ended. */
/** `ended`: the responses after the session's end. */
async function endWhileTyping(more: Documents, ended: Documents = {}) {
  const answers: Documents = {
    ...{ '/reconcile': { body: reconciled }, '/spend': { body: spend } },
    ...{ '/session': { body: operator }, '/overview': { body: overview } },
    ...{ 'POST /reconcile/fetch': refusal(), ...more },
  };
  const page = openPage('/console/reconcile', answers);
  await page.click('Fetch invoice…');
  await page.fill('Platform', 'openai');
  await page.fill('Reason', 'the invoice of November');
  Object.assign(answers, ended);
  await page.click('Fetch');
  await waitFor(() => expect(page.text()).toContain('Log in to continue; your input is kept.'));
  return { page, answers };
}

const typed = () =>
  ['platform', 'reason'].map(
    (name) => document.querySelector<HTMLInputElement>(`main input[name=${name}]`)?.value,
  );

test('a session that ends during an open dialog keeps the typed text', async () => {
  const { page, answers } = await endWhileTyping({ 'POST /session': loggedIn(null) });
  answers['POST /reconcile/fetch'] = { body: invoiceImported };
  await page.fill('One-time code', 'mgl_abc');
  await page.click('Log in');
  await waitFor(() => expect(page.text()).not.toContain('Your input is kept'));
  expect(typed()).toEqual(['openai', 'the invoice of November']);
  await page.click('Fetch');
  await waitFor(() => expect(page.has('Fetch')).toBe(false));
  expect(page.sent().at(-1)?.[0]).toBe('POST /reconcile/fetch');
});

test('another person who logs in does not get the typed text', async () => {
  const other = { body: { ...viewer, pageSecret: null } };
  const { page } = await endWhileTyping({ 'POST /session': other });
  await page.fill('One-time code', 'mgl_abc');
  await page.click('Log in');
  await waitFor(() => expect(page.text()).toContain(viewer.name));
  expect(typed()).toEqual([undefined, undefined]);
});

test('a company login in another tab ends the wait of a dialog', async () => {
  const { page, answers } = await endWhileTyping(
    {},
    { '/session': refusal({ now: { oidc: true } }) },
  );
  await waitFor(() => expect(page.has('Log in with your company account')).toBe(true));
  answers['/session'] = { body: operator };
  await waitFor(() => {
    page.window.dispatchEvent(new page.window.Event('focus'));
    expect(page.text()).not.toContain('Your input is kept');
  });
  expect(typed()).toEqual(['openai', 'the invoice of November']);
});
