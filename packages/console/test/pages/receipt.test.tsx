import { expect, test } from 'vitest';
import { callCorrected, receipt, runningReceipt, unbilledReceipt } from '../documents/receipt.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/calls/call_1';
const documents = () => ({ '/calls/call_1': { body: receipt } });

test('a receipt has what a call cost, line by line, and how it went', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.content()).toContain('Why it cost $0.0345'));
  expect(page.heading()).toBe('Receipt');
  expect(facts()).toEqual({
    ...{ State: 'OK', Started: '2026-11-22 14:58:00 UTC', Day: '2026-11-22 UTC', App: 'search' },
    ...{ User: 'u7', Model: 'gpt-5.4', Platform: 'openai', Key: 'key_1', Network: '10.0.0.1' },
    ...{ 'Gateway’s request': 'req_1 Copy', Trace: 'trace_1 Copy' },
    ...{ 'Counted in': 'group research', Answer: 'kept still, for requests that repeat it' },
    ...{ Ended: '2026-11-22 14:58:01 UTC', Basis: 'exact' },
    'Platform’s request': 'chatcmpl-1 Copy',
  });
  expect(page.table('What the cost is made of')).toEqual([
    { What: 'Input', Tokens: '10,000', 'USD per million': '$2.5', USD: '$0.025' },
    { What: 'Input from the cache', Tokens: '2,000', 'USD per million': '$0.25', USD: '$0.0005' },
    { What: 'Output attempt 2', Tokens: '900', 'USD per million': '$10', USD: '$0.009' },
  ]);
  expect(page.content()).toContain('Tokens × price, recomputed now, are what was booked.');
  expect(page.content()).toContain('A remark about the second attempt.');
  expect(page.content()).toContain('Held $0.5 → booked $0.0345, free again $0.4655');
  expect(page.content()).toContain('2026-11-22 of search now: spent $48.109 of $50, held $1.2.');
  expect(page.table('Attempts at the platform')).toEqual([
    {
      ...{ Started: '2026-11-22 14:58:00 UTC', Outcome: 'answered', Status: '200' },
      ...{ Took: '812 ms', Model: 'gpt-5.4-2026', Cost: '$0.0345' },
      'Platform’s id': 'chatcmpl-1',
    },
  ]);
  expect(page.content()).toContain(
    'fin@acme.example: call.correct $0.04 → $0.0345 – the invoice says so',
  );
  expect(page.link('search')).toBe('/console/apps/search');
  expect(page.link('key_1')).toBe('/console/calls?key=key_1');
  expect(page.alerts()).toEqual([]);
});

test('a sum that is not what was booked is pointed out', async () => {
  const wrong = { ...receipt, addsUp: false };
  const page = openPage(address, { '/calls/call_1': { body: wrong } });
  await waitFor(() =>
    expect(page.content()).toContain('Tokens × price, recomputed now, are not what was booked.'),
  );
});

test('a cost is corrected with a reason', async () => {
  const page = openPage(address, {
    ...documents(),
    'PUT /calls/call_1/correction': { body: callCorrected },
  });
  await page.click('Correct the cost…');
  await page.fill('What it cost, in USD', '0.03');
  await waitFor(() => expect(page.content()).toContain('$0.0345 becomes $0.03'));
  await page.fill('Reason', 'the invoice says so');
  await page.click('Correct');
  await waitFor(() => expect(page.has('Correct')).toBe(false));
  expect(page.sent()).toEqual([
    ['PUT /calls/call_1/correction', { reason: 'the invoice says so', usd: '0.03' }],
  ]);
});

test('a correction that is rejected leaves its dialog with the reason', async () => {
  const error = { code: 'INVALID', message: 'usd: "x" is not an amount' };
  const page = openPage(address, {
    ...documents(),
    'PUT /calls/call_1/correction': { status: 400, body: { error } },
  });
  await page.click('Correct the cost…');
  await page.fill('What it cost, in USD', 'x');
  await page.fill('Reason', 'a test');
  await page.click('Correct');
  await waitFor(() => expect(page.alerts()).toEqual(['usd: "x" is not an amount']));
  expect(page.has('Correct')).toBe(true);
});

test('a call that reached no platform has a receipt without a line', async () => {
  const page = openPage(address, { '/calls/call_1': { body: unbilledReceipt } });
  await waitFor(() => expect(page.content()).toContain('Nothing was billed for it.'));
  expect(page.content()).toContain('It never reached a platform.');
  expect(facts()).toMatchObject({ State: 'NO_PLATFORM', User: '–', Platform: '–', Key: '–' });
});

test('a call that runs has what is held for it, by its own address', async () => {
  const page = openPage('/console/calls/req_9', {
    '/calls/req_9': { body: runningReceipt },
    '/calls/call_9': { body: runningReceipt },
  });
  await waitFor(() => expect(page.content()).toContain('at most $1.209 is held for it'));
  await waitFor(() => expect(page.address()).toBe('/console/calls/call_9'));
  expect(page.has('Correct the cost…')).toBe(false);
});

test('a call that is not there is said not to be', async () => {
  const error = { code: 'NOT_FOUND', message: 'There is no call call_1' };
  const page = openPage(address, { '/calls/call_1': { status: 404, body: { error } } });
  await waitFor(() => expect(page.alerts()).toEqual(['There is no call call_1 Try again']));
});

test.each(failures)('a receipt shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.content()).toContain('Why it cost $0.0345');
});
