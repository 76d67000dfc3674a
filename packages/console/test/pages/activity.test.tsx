import { expect, test } from 'vitest';
import { auditLog, noAuditLog, olderAuditLog } from '../documents/audit-log.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { type Documents, openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/activity';
const documents = () => ({ '/audit-log': { body: auditLog } });

test('Activity has who changed which value to which, and why', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Audit log')).toEqual([
      {
        Change: 'Changed app search Daily budget $20.00 → $50.00',
        ...{ Reason: 'the launch · T-12', Actor: 'ada@acme.example' },
        'Time (UTC)': 'Nov 22, 14:00:00 UTC',
      },
      {
        Change: 'Created app tutor enabled',
        ...{ Reason: '–', Actor: 'cli', 'Time (UTC)': 'Nov 22, 13:00:00 UTC' },
      },
    ]),
  );
  expect(page.link('search')).toBe('/console/apps/search');
  expect(page.heading()).toBe('Activity');
  expect(page.has('Newest')).toBe(false);
  expect(page.alerts()).toEqual([]);
});

test('older lines are one page away, and so are the newest', async () => {
  const answers: Documents = documents();
  const page = openPage(address, answers);
  await waitFor(() => expect(page.table('Audit log')).toHaveLength(2));
  answers['/audit-log?after=line_1'] = { body: olderAuditLog };
  await page.click('Older');
  await waitFor(() =>
    expect(page.table('Audit log')).toMatchObject([{ Change: 'Created app the oldest enabled' }]),
  );
  expect(page.asked.map(({ path }) => path)).toContain('/audit-log?after=line_1');
  expect(page.address()).toBe('/console/activity?after=line_1');
  expect(page.has('Older')).toBe(false);
  await page.click('Newest');
  await waitFor(() => expect(page.table('Audit log')).toHaveLength(2));
});

test('a filter goes into the address and into the request', async () => {
  const page = openPage(address, documents());
  await page.pick('Actor');
  await page.click('ada@acme.example');
  await waitFor(() => expect(page.address()).toBe('/console/activity?actor=ada%40acme.example'));
  const path = '/audit-log?actor=ada%40acme.example';
  await waitFor(() => expect(page.asked.at(-1)?.path).toBe(path));
  await page.click('7 days');
  await page.fill('App, key, call or wallet', 'search');
  await waitFor(() => expect(page.asked.at(-1)?.path).toBe(`${path}&subject=search&since=7d`));
  await page.pick('Action');
  await page.click('Changed app');
  await waitFor(() => expect(page.address()).toContain('&action=app.update&subject=search'));
});

test('a line opens in a drawer with all of it, and the drawer closes', async () => {
  const page = openPage('/console/activity?line=line_2', documents());
  await waitFor(() => expect(page.has('Close')).toBe(true));
  const drawer = () => document.querySelector('.drawer');
  expect(drawer()?.textContent).toContain('Reasonthe launchReferenceT-12');
  expect(drawer()?.textContent).toContain('Daily budget$20.00 → $50.00');
  await page.click('Close');
  await waitFor(() => expect(drawer()).toBeNull());
  expect(page.address()).toBe('/console/activity');
});

test('Activity explains a line when it has none', async () => {
  const page = openPage(address, { '/audit-log': { body: noAuditLog } });
  await waitFor(() =>
    expect(page.content()).toContain(
      'No changes Every change appears here with its actor, time and reason.',
    ),
  );
  expect(page.has('Older')).toBe(false);
});

test.each(failures)('Activity shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Audit log')).toHaveLength(2);
});
