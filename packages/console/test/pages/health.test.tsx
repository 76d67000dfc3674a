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
  await waitFor(() => expect(page.table('Replicas')).toBeDefined());
  expect(page.heading()).toBe('Health');
  expect(page.content()).toContain('Problem with circuit: claude-opus fails at anthropic');
  expect(page.link('claude-opus fails at anthropic')).toBe('/console/calls?code=AWAY');
  expect(facts()).toEqual({
    ...{ Version: '1.2.3, process i_1', Store: 'postgres, answers in 3 ms, clock 12 ms apart' },
    ...{ 'Open holds': '1,041', 'Sums of reports reach': '2026-11-22 14:00:00 UTC' },
    Now: '7 requests, 6 calls, 4 streams; 2 that finish without their caller',
    More: 'metrics, ready',
  });
  expect(page.table('Replicas')).toEqual([
    { Process: 'i_1 (this one)', Configuration: 'c0ffee', Seen: '2026-11-22 14:59:55 UTC' },
    { Process: 'i_2', Configuration: 'decade', Seen: '2026-11-22 14:59:50 UTC' },
  ]);
  expect(page.table('Platforms')).toEqual([
    {
      ...{ Platform: 'anthropic', State: 'failing: answers 529', Retries: '1,200' },
      ...{ 'Retries denied': '31', 'Circuits opened': '2', Refused: '47' },
    },
    {
      ...{ Platform: 'openai', State: 'works', Retries: '5', 'Retries denied': '0' },
      ...{ 'Circuits opened': '0', Refused: '0' },
    },
  ]);
  expect(page.table('Circuits')).toEqual([
    {
      ...{ Model: 'claude-opus on anthropic', Circuit: 'Problem: open' },
      Since: '2026-11-22 14:55:00 UTC',
    },
    { Model: 'gpt-5.4 on openai', Circuit: 'OK: closed', Since: '–' },
  ]);
  expect(page.content()).toContain('Each rule of the ledger, and whether it holds');
  expect(page.alerts()).toEqual([]);
});

test('an audit is started, followed, and has a row for each rule', async () => {
  const answers = {
    ...documents(),
    'POST /reports': { status: 202, body: runningAudit },
    '/reports/job_1': { body: runningAudit },
  };
  const page = openPage(address, answers);
  await page.click('Audit the ledger');
  await waitFor(() => expect(page.content()).toContain('holds of 2026-11-22'));
  expect(page.content()).toContain('40 % Stop it');
  expect(page.address()).toBe('/console/health?audit=job_1');
  expect(page.sent()).toEqual([['POST /reports', { kind: 'audit' }]]);
  answers['/reports/job_1'] = { body: finishedAudit };
  await waitFor(() =>
    expect(page.table('Rules of the ledger')).toEqual([
      ...[{ Rule: 'L1', 'What must hold': 'no budget is overdrawn', Holds: 'OK', Breaches: '0' }],
      {
        ...{ Rule: 'L2', 'What must hold': 'every hold has a call', Holds: 'Problem' },
        Breaches: '3',
      },
    ]),
  );
  expect(page.content()).toContain('Ended 2026-11-22 15:00:00 UTC');
});

test('an audit that failed has its reason, and can be started again', async () => {
  const answers = { ...documents(), '/reports/job_1': { body: failedAudit } };
  const page = openPage(`${address}?audit=job_1`, answers);
  await waitFor(() => expect(page.alerts()).toEqual(['The store does not answer']));
  expect(page.has('Audit the ledger')).toBe(true);
});

test('a process that has just started says of each part how it comes', async () => {
  const page = openPage(`${address}?audit=job_1`, {
    '/health': { body: newHealth },
    '/reports/job_1': { body: emptyAudit },
  });
  const texts = [
    'OK: nothing is wrong that this process can see.',
    'No replica. Each process that serves calls is here once it has reported.',
    'No platform. Name one in the configuration file, under platforms.',
    "None yet: a model's circuit is here after its first call",
    'The audit returned no rule. Start it again.',
  ];
  for (const text of texts) await waitFor(() => expect(page.content()).toContain(text));
  expect(facts()).toMatchObject({ 'Sums of reports reach': '–' });
});

test.each(failures)('Health shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Platforms')).toHaveLength(2);
});

test('budgets that a restored store has closed are a problem', async () => {
  const text =
    'budgets are closed, since the store was restored at 2026-11-22T15:00:00Z: lab (day)';
  const problem = { kind: 'closed', text, href: '/console/apps' } as const;
  const page = openPage(address, { '/health': { body: { ...health, problems: [problem] } } });
  await waitFor(() => expect(page.link(text)).toBe('/console/apps'));
});
