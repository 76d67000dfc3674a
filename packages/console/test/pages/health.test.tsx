import { expect, test } from 'vitest';
import { health, newHealth } from '../documents/health.ts';
import { emptyAudit, failedAudit, finishedAudit, runningAudit } from '../documents/job.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/health';
const documents = () => ({ '/health': { body: health } });

test('Health has the problems, the store, and each process, platform and circuit', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Gateway processes')).toBeDefined());
  expect(page.heading()).toBe('Health');
  expect(page.content()).toContain('1 problem.');
  expect(page.alerts()).toEqual([]);
  expect(page.link('claude-opus fails at anthropic')).toBe('/console/calls?code=AWAY');
  expect(page.content()).toContain('Running calls 6 7 requests, 4 streams');
  expect(page.content()).toContain('Open circuits 1 of 2 in this process');
  expect(page.content()).toContain('postgres, clock skew 12 ms');
  expect(facts()).toEqual({
    ...{ Version: '1.2.3', 'This process': 'i_1', 'Open reservations': '1,041' },
    'Report rollups up to': 'Nov 22, 14:00:00 UTC',
    ...{ 'Detached calls (caller disconnected)': '2', 'Queued ledger operations': '0' },
    'Monitoring endpoints': 'metrics, ready',
  });
  expect(page.table('Gateway processes')).toEqual([
    { Process: 'i_1 this process', Configuration: 'c0ffee', 'Last seen': 'Nov 22, 14:59:55 UTC' },
    { Process: 'i_2', Configuration: 'decade', 'Last seen': 'Nov 22, 14:59:50 UTC' },
  ]);
  expect(page.table('State of each platform')).toEqual([
    {
      ...{ Platform: 'anthropic', State: 'failing answers 529' },
      ...{ Retries: '1,200 retries, 31 denied', 'Circuits opened': '2' },
      'Attempts rejected': '47 rejected',
    },
    {
      ...{ Platform: 'openai', State: 'works', Retries: '5 retries', 'Circuits opened': '0' },
      'Attempts rejected': '0 rejected',
    },
  ]);
  expect(page.table('Circuits')).toEqual([
    {
      ...{ Model: 'claude-opus', Platform: 'anthropic', Circuit: 'open' },
      Since: 'Nov 22, 14:55:00 UTC',
    },
    { Model: 'gpt-5.4', Platform: 'openai', Circuit: 'closed', Since: '–' },
  ]);
});

test('requests without a valid key are counted by reason, over all hours', async () => {
  const [first] = health.keyless;
  const [later, other] = ['2026-11-22T14:59:00.000Z', '2026-11-22T13:10:00.000Z'];
  const keyless = [
    ...(first === undefined ? [] : [first]),
    { at: later, reason: 'unknown' as const, path: 'POST /b', count: 40, lastAt: later },
    { at: other, reason: 'checksum' as const, path: 'POST /a', count: 2, lastAt: other },
  ];
  const page = openPage(address, { '/health': { body: { ...health, keyless } } });
  await waitFor(() =>
    expect(page.table('Requests without a valid key')).toEqual([
      {
        ...{ Reason: 'Unknown key', 'Last request': 'POST /b' },
        ...{ 'Last seen': 'Nov 22, 14:59:00 UTC', Requests: '40' },
      },
      {
        ...{ Reason: 'Mistyped key', 'Last request': 'POST /v1/chat from 10.1.2.0/24' },
        ...{ 'Last seen': 'Nov 22, 14:41:07 UTC', Requests: '9' },
      },
    ]),
  );
  expect(page.content()).toContain('Missing or invalid keys 49 last 24 hours');
});

test('an audit is started, followed, and has a row for each rule', async () => {
  const answers = {
    ...documents(),
    'POST /reports': { status: 202, body: runningAudit },
    '/reports/job_1': { body: runningAudit },
  };
  const page = openPage(address, answers);
  await page.click('Run audit');
  await waitFor(() => expect(page.content()).toContain('holds of 2026-11-22'));
  expect(page.content()).toContain('40% Stop');
  expect(page.address()).toBe('/console/health?audit=job_1');
  expect(page.sent()).toEqual([['POST /reports', { kind: 'audit' }]]);
  answers['/reports/job_1'] = { body: finishedAudit };
  await waitFor(() =>
    expect(page.table('Ledger rules')).toEqual([
      { Rule: 'L1', Requirement: 'no budget is overdrawn', Result: 'Passed', Violations: '0' },
      { Rule: 'L2', Requirement: 'every hold has a call', Result: 'Failed', Violations: '3' },
    ]),
  );
  expect(page.content()).toContain('Finished Nov 22, 15:00:00 UTC');
});

test('an audit that failed has its reason, and can be started again', async () => {
  const answers = { ...documents(), '/reports/job_1': { body: failedAudit } };
  const page = openPage(`${address}?audit=job_1`, answers);
  await waitFor(() => expect(page.alerts()).toEqual(['The store does not answer']));
  expect(page.has('Run audit')).toBe(true);
});

test('a process that has just started explains how each part appears', async () => {
  const page = openPage(`${address}?audit=job_1`, {
    '/health': { body: newHealth },
    '/reports/job_1': { body: emptyAudit },
  });
  const texts = [
    'No problems. Store, 0 replicas and 0 platforms are healthy.',
    'No replicas yet Each gateway process appears here after its first heartbeat.',
    'No platforms Add one to the configuration file, under platforms.',
    'No circuits yet A circuit appears after a model’s first call',
    'No requests without a valid key',
    'The audit returned no rules. Run it again.',
  ];
  for (const text of texts) await waitFor(() => expect(page.content()).toContain(text));
  expect(facts()).toMatchObject({ 'Report rollups up to': '–' });
});

test.each(failures)('Health shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('State of each platform')).toHaveLength(2);
});

test('budgets that a restored store has closed are a problem', async () => {
  const text =
    'budgets are closed, since the store was restored at 2026-11-22T15:00:00Z: lab (day)';
  const problem = { kind: 'closed', text, href: '/console/apps' } as const;
  const page = openPage(address, { '/health': { body: { ...health, problems: [problem] } } });
  await waitFor(() => expect(page.link(text)).toBe('/console/apps'));
});
