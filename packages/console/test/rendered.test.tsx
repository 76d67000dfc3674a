import type { Overview } from '@model-gateway/server/operations/documents';
import { expect, test } from 'vitest';
import { noCalls } from './documents/calls.ts';
import { overviewWithoutCalls, overview as sampleOverview } from './documents/overview.ts';
import { runningReceipt } from './documents/receipt.ts';
import { operator } from './documents/session.ts';
import { type Answers, openBrowser } from './support/browser.ts';
import { waitFor } from './support/wait-for.ts';

const overview: Overview = {
  ...sampleOverview,
  apps: sampleOverview.apps
    .slice(0, 1)
    .map((app) => ({ ...app, app: '<script>alert(1)</script>' })),
};

let browser: ReturnType<typeof openBrowser>;

function open(address: string, answers: Answers) {
  browser = openBrowser(address, answers);
}

const signedIn =
  (more: Answers): Answers =>
  (path, request) =>
    path === '/session' ? { body: operator } : more(path, request);

test('Today truncates amounts, has their whole text, and shows a name as text', async () => {
  open(
    '/console/',
    signedIn(() => ({ body: overview })),
  );
  await waitFor(() => expect(browser.text()).toContain('$63.44'));
  const amount = browser.window.document.querySelector('.stats .usd');
  expect(amount?.getAttribute('title')).toBe('$63.449999999999');
  expect(browser.text()).toContain('$0.0051');
  expect(browser.text()).toContain('<script>alert(1)</script>');
  expect(browser.window.document.querySelector('script')).toBeNull();
  for (const { headers } of browser.asked) expect(headers.get('x-requested-with')).toBe('console');
});

test('a truncated amount is copied whole, and a larger selection unchanged', async () => {
  open(
    '/console/',
    signedIn(() => ({ body: overview })),
  );
  await waitFor(() => expect(browser.text()).toContain('$63.44'));
  const { window } = browser;
  const amount = window.document.querySelector('.stats .usd');
  const list = window.document.querySelector('.stats');
  if (amount === null || list === null) throw new Error('Today has figures');
  const copied = (selected: typeof amount) => {
    window.document.getSelection()?.selectAllChildren(selected);
    const clipboardData = new window.DataTransfer();
    const event = new window.ClipboardEvent('copy', {
      bubbles: true,
      cancelable: true,
      clipboardData,
    });
    amount.dispatchEvent(event);
    return [event.defaultPrevented, clipboardData.getData('text/plain')];
  };
  expect(copied(amount)).toEqual([true, '$63.449999999999']);
  expect(copied(list)).toEqual([false, '']);
});

/** Every other read fails. */
const callsOnly = (path: string) => (path.startsWith('/calls?') ? { body: noCalls } : undefined);

test('an older page of calls leads back to the newest, with its filter', async () => {
  open('/console/calls?app=search&after=call_5', signedIn(callsOnly));
  await waitFor(() => expect(browser.text()).toContain('Newest calls'));
  const links = [...browser.window.document.querySelectorAll('a')];
  const newest = links.find(({ textContent }) => textContent === 'Newest calls');
  expect(newest?.getAttribute('href')).toBe('/console/calls?app=search');
});

test('the line of the first call becomes the receipt of the call that comes', async () => {
  let shown = overviewWithoutCalls;
  open(
    '/console/',
    signedIn((path) => ({ body: path === '/overview' ? shown : runningReceipt })),
  );
  await waitFor(() => expect(browser.text()).toContain('Waiting for the first call'));
  expect(browser.text()).toContain(overview.firstCall);
  shown = { ...overview, lastCall: 'call_9' };
  browser.notify('overview');
  await waitFor(() => expect(browser.text()).toContain('Reserved: at most $1.209'));
  expect(browser.asked.map(({ path }) => path)).toContain('/calls/call_9');
});

test('a document that fails to reload stays, with its time', async () => {
  let isAway = false;
  open(
    '/console/',
    signedIn(() => (isAway ? undefined : { body: overview })),
  );
  await waitFor(() => expect(browser.text()).toContain('$63.44'));
  isAway = true;
  browser.notify('overview');
  await waitFor(() => expect(browser.text()).toContain('The gateway is not responding'));
  expect(browser.text()).toContain('$63.44');
  expect(browser.window.document.querySelector('[aria-busy=true] .stats')).not.toBeNull();
  isAway = false;
  const again = [...browser.window.document.querySelectorAll('[role=alert] button')][0];
  again?.dispatchEvent(new browser.window.MouseEvent('click', { bubbles: true }));
  await waitFor(() => expect(browser.text()).not.toContain('The gateway is not responding'));
});

test('a code leaves the address before it is sent, once, in a body', async () => {
  let isIn = false;
  open('/console/login#code=mgl_abc', (path, { method }) => {
    if (path === '/session' && method === 'POST') isIn = true;
    if (path === '/session') return isIn ? { body: operator } : refusal;
    return { body: overview };
  });
  await waitFor(() => expect(browser.text()).toContain('$63.44'));
  expect(browser.window.location.href).toBe('http://127.0.0.1:8788/console/');
  const sent = browser.asked.filter(({ method }) => method === 'POST');
  expect(sent.map(({ body }) => body)).toEqual([{ code: 'mgl_abc' }]);
});

test('a session that has ended asks for a login in place, and stores nothing', async () => {
  let hasEnded = false;
  open('/console/calls?app=search', (path) => {
    if (hasEnded) return refusal;
    if (path === '/session') return { body: operator };
    return callsOnly(path);
  });
  await waitFor(() => expect(browser.text()).toContain('No matching calls'));
  expect(browser.asked.map(({ path }) => path)).toContain('/calls?app=search&limit=50');
  hasEnded = true;
  for (const key of ['g', 's']) {
    browser.window.dispatchEvent(new browser.window.KeyboardEvent('keydown', { key }));
  }
  await waitFor(() => expect(browser.text()).toContain('Your session ended'));
  expect(browser.text()).not.toContain('No matching calls');
});

const refusal = { status: 401, body: { error: { code: 'UNAUTHENTICATED', message: 'Log in' } } };
