import { expect, test } from 'vitest';
import { auditLog, noAuditLog, olderAuditLog } from '../documents/audit-log.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/activity';
const documents = () => ({ '/audit-log': { body: auditLog } });

test('Activity has who changed what, from what to what, and why', async () => {
  const page = openPage(address, documents());
  await waitFor(() =>
    expect(page.table('Audit log')).toEqual([
      {
        ...{ At: '2026-11-22 14:00:00 UTC', Who: 'ada@acme.example', Did: 'app.update' },
        ...{ To: 'search', 'Before → after': 'dailyBudgetUsd 20 → 50', Why: 'the launch · T-12' },
      },
      {
        ...{ At: '2026-11-22 13:00:00 UTC', Who: 'cli', Did: 'app.create', To: 'tutor' },
        ...{ 'Before → after': 'enabled', Why: '' },
      },
    ]),
  );
  expect(page.heading()).toBe('Activity');
  expect(page.has('Newer')).toBe(false);
  expect(page.alerts()).toEqual([]);
});

test('older lines are a page away, and newer ones back', async () => {
  const answers = documents();
  const page = openPage(address, answers);
  await waitFor(() => expect(page.table('Audit log')).toHaveLength(2));
  answers['/audit-log'] = { body: olderAuditLog };
  await page.click('Older');
  await waitFor(() => expect(page.table('Audit log')).toMatchObject([{ To: 'the oldest' }]));
  expect(page.asked.at(-1)?.path).toBe('/audit-log?after=line_1');
  expect(page.has('Older')).toBe(false);
  await page.click('Newer');
  await waitFor(() => expect(page.table('Audit log')).toHaveLength(2));
});

test('a filter goes into the address, and is what the service is asked for', async () => {
  const page = openPage(address, documents());
  await page.fill('Who', 'ada');
  await waitFor(() => expect(page.address()).toBe('/console/activity?actor=ada'));
  await waitFor(() => expect(page.asked.at(-1)?.path).toBe('/audit-log?actor=ada'));
});

test('Activity without a line says what is one', async () => {
  const page = openPage(address, { '/audit-log': { body: noAuditLog } });
  await waitFor(() =>
    expect(page.content()).toContain(
      'Nothing was changed. Each change of an operator is a line here, with who and why.',
    ),
  );
  expect(page.has('Older')).toBe(false);
});

test.each(failures)('Activity shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Audit log')).toHaveLength(2);
});
