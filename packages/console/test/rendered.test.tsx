import type { Overview } from '@model-gateway/server/console/documents';
import { render } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetAll } from '../src/data/read.ts';
import { Console } from '../src/shell/console.tsx';
import { type Answers, openBrowser } from './support/browser.ts';

const session = {
  ...{ name: 'ada', role: 'operator', apps: null, company: 'acme', version: '1.2.3' },
  ...{ may: ['look', 'spend', 'users', 'keys', 'money', 'operate'], via: 'session' },
  expiresAt: '2026-11-22T20:00:00.000Z',
};

const overview: Overview = {
  ...{ at: '2026-11-22T01:58:30.000Z', day: '2026-11-22', resetsAt: '2026-11-23T00:00:00.000Z' },
  totals: {
    ...{ spentUsd: '63.449999999999', heldUsd: '1.71', estimatedUsd: '0.0051' },
    ...{ calls: 185_175, errors: 3, refused: 12 },
  },
  ...{ problems: [], well: 'the store answers', refusals: [], hasCalls: true },
  apps: [
    {
      ...{ app: '<script>alert(1)</script>', enabled: true, capUsd: '50', spentUsd: '48.109' },
      ...{ heldUsd: '1.2', leftUsd: '0.691', usedPercent: 98, estimatedUsd: '0', calls: 24_690 },
      ...{ errors: 0, refused: 2 },
      atThisPace: { usedUpAt: null, byMidnightUsd: '49', basis: 'linear' },
    },
  ],
  ...{ lastCall: 'call_1', firstCall: "curl 'http://127.0.0.1:8787/v1/chat'" },
};

let browser: ReturnType<typeof openBrowser>;

function open(address: string, answers: Answers) {
  browser = openBrowser(address, answers);
  render(<Console />, browser.root);
}

afterEach(async () => {
  render(null, browser.root);
  forgetAll();
  await browser.close();
});

const signedIn =
  (more: Answers): Answers =>
  (path, asked) =>
    path === '/session' ? { body: session } : more(path, asked);

test('Today cuts amounts, has their whole text, and shows a name as text', async () => {
  open(
    '/console/',
    signedIn(() => ({ body: overview })),
  );
  await vi.waitFor(() => expect(browser.text()).toContain('$63.44'));
  const amount = browser.window.document.querySelector('.totals .money');
  expect(amount?.getAttribute('title')).toBe('$63.449999999999');
  expect(browser.text()).toContain('<$0.01');
  expect(browser.text()).toContain('<script>alert(1)</script>');
  expect(browser.window.document.querySelector('script')).toBeNull();
  for (const { headers } of browser.asked) expect(headers.get('x-requested-with')).toBe('console');
});

test('a cut amount is copied whole, and a selection of more than it as it is', async () => {
  open(
    '/console/',
    signedIn(() => ({ body: overview })),
  );
  await vi.waitFor(() => expect(browser.text()).toContain('$63.44'));
  const { window } = browser;
  const amount = window.document.querySelector('.totals .money');
  const list = window.document.querySelector('.totals');
  if (amount === null || list === null) throw new Error('Today has totals');
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

test('an older page of calls leads back to the newest, with its filter', async () => {
  const found = { items: [], after: null, searchedBackTo: null };
  open(
    '/console/calls?app=search&after=call_5',
    signedIn(() => ({ body: found })),
  );
  await vi.waitFor(() => expect(browser.text()).toContain('Newest calls'));
  const links = [...browser.window.document.querySelectorAll('a')];
  const newest = links.find(({ textContent }) => textContent === 'Newest calls');
  expect(newest?.getAttribute('href')).toBe('/console/calls?app=search');
});

test('the line of the first call becomes the receipt of the call that comes', async () => {
  let shown: Overview = { ...overview, hasCalls: false, lastCall: null, apps: [] };
  const call = { state: 'running', id: 'call_9', app: 'search', heldUsd: '0.5', userId: null };
  const receipt = {
    call,
    lines: [],
    totalUsd: null,
    addsUp: true,
    remarks: [],
    budget: null,
    isKept: false,
  };
  open(
    '/console/',
    signedIn((path) => ({ body: path === '/overview' ? shown : receipt })),
  );
  await vi.waitFor(() => expect(browser.text()).toContain('Waiting for the first call'));
  expect(browser.text()).toContain(overview.firstCall);
  shown = { ...overview, lastCall: 'call_9' };
  browser.tell('overview');
  await vi.waitFor(() => expect(browser.text()).toContain('at most $0.5 is held for it'));
  expect(browser.asked.map(({ path }) => path)).toContain('/calls/call_9');
});

test('a document that cannot be read anew stays, and it is said of when it is', async () => {
  let isAway = false;
  open(
    '/console/',
    signedIn(() => (isAway ? undefined : { body: overview })),
  );
  await vi.waitFor(() => expect(browser.text()).toContain('$63.44'));
  isAway = true;
  browser.tell('overview');
  await vi.waitFor(() => expect(browser.text()).toContain('The gateway does not answer'));
  expect(browser.text()).toContain('$63.44');
  expect(browser.window.document.querySelector('[aria-busy=true] .totals')).not.toBeNull();
  isAway = false;
  const again = [...browser.window.document.querySelectorAll('[role=alert] button')][0];
  again?.dispatchEvent(new browser.window.MouseEvent('click', { bubbles: true }));
  await vi.waitFor(() => expect(browser.text()).not.toContain('The gateway does not answer'));
});

test('a code leaves the address before it is sent, once, in a body', async () => {
  let isIn = false;
  open('/console/login#code=mgl_abc', (path, { method }) => {
    if (path === '/session' && method === 'POST') isIn = true;
    if (path === '/session') return isIn ? { body: session } : refusal;
    return { body: overview };
  });
  await vi.waitFor(() => expect(browser.text()).toContain('$63.44'));
  expect(browser.window.location.href).toBe('http://127.0.0.1:8788/console/');
  const sent = browser.asked.filter(({ method }) => method === 'POST');
  expect(sent.map(({ body }) => body)).toEqual([{ code: 'mgl_abc' }]);
});

test('a session that has ended asks for a login where it was, and keeps nothing', async () => {
  let hasEnded = false;
  open('/console/calls?app=search', (path) => {
    if (hasEnded) return refusal;
    if (path === '/session') return { body: session };
    return { body: { items: [], after: null, searchedBackTo: null } };
  });
  await vi.waitFor(() => expect(browser.text()).toContain('No call is like this'));
  expect(browser.asked.at(-1)?.path).toBe('/calls?app=search&limit=50');
  hasEnded = true;
  for (const key of ['g', 't']) {
    browser.window.dispatchEvent(new browser.window.KeyboardEvent('keydown', { key }));
  }
  await vi.waitFor(() => expect(browser.text()).toContain('The session has ended'));
  expect(browser.text()).not.toContain('No call is like this');
});

const refusal = { status: 401, body: { error: { code: 'UNAUTHENTICATED', message: 'Log in' } } };
