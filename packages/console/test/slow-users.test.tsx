import type { Spend } from '@model-gateway/server/console/documents';
import { render } from 'preact';
import { afterEach, expect, test, vi } from 'vitest';
import { forgetAll } from '../src/data/read.ts';
import { Console } from '../src/shell/console.tsx';
import { openBrowser } from './support/browser.ts';

const session = {
  ...{ name: 'ada', role: 'finance', apps: null, company: 'acme', version: '1.2.3' },
  ...{ may: ['look', 'spend', 'users', 'money'], via: 'session' },
  expiresAt: '2026-11-22T20:00:00.000Z',
};
const sums = {
  ...{ calls: 3, errors: 0, inputTokens: 30, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ cacheWrite1hInputTokens: 0, outputTokens: 12, reasoningTokens: 0, costUsd: '0.75' },
  ...{ exactUsd: '0.75', estimatedUsd: '0', correctedUsd: '0', unpricedUsd: '0', unpricedCalls: 0 },
};
const days = { from: '2026-11-02', to: '2026-11-05' };
const byDay: Spend = { ...days, by: ['day'], rows: [], total: sums, found: 0, days: [] };
const users = { ...days, by: ['app', 'user'], rows: [{ names: ['tutor', 'u7'], sums }], found: 9 };
const job = {
  ...{ id: 'job_1', kind: 'report', state: 'running', place: null, percent: 0 },
  ...{ text: 'records of 2026-11-03', fileName: null, error: null },
  ...{ startedAt: '2026-11-22T12:00:00.000Z', endedAt: null },
};

let browser: ReturnType<typeof openBrowser>;
let isDone = false;
const page = '/console/spend?range=days&from=2026-11-02&to=2026-11-05&by=user&app=tutor';

function open(address: string) {
  browser = openBrowser(address, (path, { method }) => {
    if (path === '/session') return { body: session };
    if (path.startsWith('/spend?')) return { body: byDay };
    if (path === '/reports' && method === 'POST') return { status: 202, body: job };
    if (path === '/reports/job_1') {
      return { body: isDone ? { ...job, state: 'done', result: { ...users, total: sums } } : job };
    }
    return { body: { items: [], next: null } };
  });
  render(<Console />, browser.root);
}

afterEach(async () => {
  isDone = false;
  render(null, browser.root);
  forgetAll();
  await browser.close();
});

test('users of single days are a job, whose place and table the URL keeps', async () => {
  open(page);
  await vi.waitFor(() => expect(browser.text()).toContain('Add up the calls of users'));
  // What costs little is there at once, and nothing has asked for what does not.
  const spends = browser.asked.filter(({ path }) => path.startsWith('/spend?'));
  expect(spends.length).toBeGreaterThan(0);
  for (const { path } of spends) expect(path).toContain('by=day');
  button('Add up the calls of users').click();
  await vi.waitFor(() => expect(browser.text()).toContain('records of 2026-11-03'));
  expect(browser.asked.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ kind: 'report', ...days, by: ['app', 'user'], top: 200, apps: ['tutor'] },
  });
  expect(browser.window.location.search).toContain('users=job_1');
  isDone = true;
  await vi.waitFor(() => expect(browser.text()).toContain('tutor, u7'), { timeout: 3_000 });
  expect(browser.text()).toContain('The dearest 1 of 9 rows');
});

test('another filter forgets what was added up of the one before', async () => {
  isDone = true;
  open(`${page}&users=job_1`);
  await vi.waitFor(() => expect(browser.text()).toContain('tutor, u7'));
  const compare = browser.window.document.querySelector('.check input');
  compare?.dispatchEvent(new browser.window.MouseEvent('click', { bubbles: true }));
  await vi.waitFor(() => expect(browser.window.location.search).toContain('compare=true'));
  expect(browser.window.location.search).not.toContain('users=');
  expect(browser.text()).not.toContain('tutor, u7');
});

function button(label: string) {
  const found = [...browser.window.document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === label,
  );
  if (found === undefined) throw new Error(`there is no button ${label}`);
  return found;
}
