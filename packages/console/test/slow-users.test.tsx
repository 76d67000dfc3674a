import type { Job, Spend } from '@model-gateway/server/operations/documents';
import { afterEach, expect, test } from 'vitest';
import { runningAudit } from './documents/job.ts';
import { overviewWithoutCalls } from './documents/overview.ts';
import { operator } from './documents/session.ts';
import { noSpend } from './documents/spend.ts';
import { openBrowser } from './support/browser.ts';
import { waitFor } from './support/wait-for.ts';

const days = { from: '2026-11-02', to: '2026-11-05' };
const byDay: Spend = { ...noSpend, ...days, by: ['day'] };
const users: Spend = {
  ...byDay,
  ...{ by: ['app', 'user'], rows: [{ names: ['tutor', 'u7'], sums: noSpend.total }], found: 9 },
};
const job: Job = { ...runningAudit, kind: 'report', text: 'records of 2026-11-03' };

let browser: ReturnType<typeof openBrowser>;
let isDone = false;
const page = '/console/spend?range=days&from=2026-11-02&to=2026-11-05&by=user&app=tutor';

function open(address: string) {
  browser = openBrowser(address, (path, { method }) => {
    if (path === '/session') return { body: operator };
    if (path.startsWith('/spend?')) return { body: byDay };
    if (path === '/reports' && method === 'POST') return { status: 202, body: job };
    if (path === '/reports/job_1') {
      return { body: isDone ? { ...job, state: 'done', result: users } : job };
    }
    if (path === '/overview') return { body: overviewWithoutCalls };
    return { body: { items: [], after: null } };
  });
}

afterEach(() => {
  isDone = false;
});

test('users of single days are a job, and the URL has its position and table', async () => {
  open(page);
  await waitFor(() => expect(browser.text()).toContain('Compute totals by user'));
  // Cheap documents are there at once, and nothing has requested the expensive one.
  const spends = browser.asked.filter(({ path }) => path.startsWith('/spend?'));
  expect(spends.length).toBeGreaterThan(0);
  for (const { path } of spends) expect(path).toContain('by=day');
  button('Compute totals by user').click();
  await waitFor(() => expect(browser.text()).toContain('records of 2026-11-03'));
  expect(browser.asked.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ kind: 'report', ...days, by: ['app', 'user'], top: 200, apps: ['tutor'] },
  });
  expect(browser.window.location.search).toContain('users=job_1');
  isDone = true;
  await waitFor(() => expect(browser.text()).toContain('tutor, u7'));
  expect(browser.text()).toContain('1 of 9 rows');
});

test('another filter drops the totals of the previous one', async () => {
  isDone = true;
  open(`${page}&users=job_1`);
  await waitFor(() => expect(browser.text()).toContain('tutor, u7'));
  button('7 days').click();
  await waitFor(() => expect(browser.window.location.search).toContain('range=week'));
  expect(browser.window.location.search).not.toContain('users=');
  await waitFor(() => expect(browser.text()).not.toContain('tutor, u7'));
});

function button(label: string) {
  const button = [...browser.window.document.querySelectorAll('button')].find(
    ({ textContent }) => textContent === label,
  );
  if (button === undefined) throw new Error(`there is no button ${label}`);
  return button;
}
