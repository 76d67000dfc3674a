import { expect, test } from 'vitest';
import { callCorrected, receipt, runningReceipt, unbilledReceipt } from '../documents/receipt.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { facts } from '../support/reading.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/calls/call_1';
const documents = () => ({ '/calls/call_1': { body: receipt } });

test('a receipt has the cost of a call, line by line, and its course', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.heading()).toBe('Cost of this call: $0.0345'));
  expect(page.content()).toContain('OK Corrected Nov 22, 14:58:00 UTC · 1.00 s');
  expect(facts()).toEqual({
    ...{ App: 'search', Model: 'gpt-5.4', Platform: 'openai', User: 'u7', Key: 'key_1' },
    ...{ Network: '10.0.0.1', Day: '2026-11-22 UTC', Budgets: 'group research' },
    ...{ Ended: 'Nov 22, 14:58:01 UTC', Basis: 'exact' },
    Response: 'stored for idempotent retries',
    ...{ Call: 'call_1', Request: 'req_1', Trace: 'trace_1' },
    'Platform request id': 'chatcmpl-1',
    ...{ 'Reserved before the call': '$0.50', Booked: '− $0.0345', Released: '$0.4655' },
  });
  expect(page.table('Cost items')).toEqual([
    {
      ...{ Item: 'Input attempt 1', Tokens: '10,000 tokens', Price: '× $2.50 / 1M' },
      Amount: '$0.025',
    },
    {
      ...{ Item: 'Cached input attempt 1', Tokens: '2,000 tokens' },
      ...{ Price: '× $0.25 / 1M', Amount: '$0.0005' },
    },
    {
      ...{ Item: 'Output attempt 2, including 400 reasoning', Tokens: '900 tokens' },
      ...{ Price: '× $10.00 / 1M', Amount: '$0.009' },
    },
  ]);
  expect(page.content()).toContain('Total 12,900 $0.0345');
  expect(page.content()).toContain('It matches the booked amount.');
  expect(page.content()).toContain('A remark about the second attempt.');
  expect(page.content()).toContain('6.9% of the reservation was used.');
  expect(page.content()).toContain('of search now: spent $48.10 of $50.00 , reserved $1.20 .');
  expect(page.table('Platform attempts')).toEqual([
    {
      ...{ 'Started (UTC)': 'Nov 22, 14:58:00 UTC', Outcome: 'Succeeded', Status: '200' },
      ...{ Duration: '812 ms', Model: 'gpt-5.4-2026', Cost: '$0.0345' },
      'Platform request id': 'chatcmpl-1',
    },
  ]);
  expect(page.content()).toContain('$0.04 → $0.0345 – the invoice says so fin@acme.example');
  expect(page.link('search')).toBe('/console/apps/search');
  expect(page.link('key_1')).toBe('/console/calls?key=key_1');
  expect(page.alerts()).toEqual([]);
});

test('the time of a call is shown step by step, as recorded', async () => {
  openPage(address, documents());
  const flow = await waitFor(() => {
    const flow = document.querySelector('.flow');
    expect(flow).not.toBeNull();
    return flow;
  });
  expect(flow?.getAttribute('aria-label')).toBe(
    'Reserve 100 ms, Attempt 1 200 after 812 ms, Book 88 ms',
  );
});

test('a sum that differs from the booking is pointed out', async () => {
  const wrong = { ...receipt, matches: false };
  const page = openPage(address, { '/calls/call_1': { body: wrong } });
  await waitFor(() => expect(page.alerts()).toEqual([expect.stringContaining('Cost mismatch.')]));
  expect(page.content()).toContain('It differs from the booked amount.');
});

test('an estimated cost is marked, with the reason', async () => {
  const estimated = { ...receipt.call, basis: 'estimated', estimateReason: 'broken-stream' };
  const page = openPage(address, { '/calls/call_1': { body: { ...receipt, call: estimated } } });
  await waitFor(() => expect(page.content()).toContain('OK Estimated Corrected'));
  expect(facts()).toMatchObject({ Basis: 'estimated (broken-stream)' });
});

test('a cost is corrected with a reason', async () => {
  const page = openPage(address, {
    ...documents(),
    'PUT /calls/call_1/correction': { body: callCorrected },
  });
  await page.click('Correct cost…');
  await page.fill('Actual cost (USD)', '0.03');
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
  await page.click('Correct cost…');
  await page.fill('Actual cost (USD)', 'x');
  await page.fill('Reason', 'a test');
  await page.click('Correct');
  await waitFor(() => expect(page.alerts()).toEqual(['usd: "x" is not an amount']));
  expect(page.has('Correct')).toBe(true);
});

test('a call that reached no platform has a receipt without a line', async () => {
  const page = openPage(address, { '/calls/call_1': { body: unbilledReceipt } });
  await waitFor(() => expect(page.content()).toContain('Nothing was billed'));
  expect(page.content()).toContain('No platform was called.');
  expect(page.content()).toContain('No platform');
  expect(facts()).not.toHaveProperty('User');
  expect(facts()).not.toHaveProperty('Platform');
});

test('a running call has its reservation, at its own address', async () => {
  const page = openPage('/console/calls/req_9', {
    '/calls/req_9': { body: runningReceipt },
    '/calls/call_9': { body: runningReceipt },
  });
  await waitFor(() => expect(page.heading()).toBe('Maximum cost of this call: $1.209'));
  await waitFor(() => expect(page.address()).toBe('/console/calls/call_9'));
  expect(page.has('Correct cost…')).toBe(false);
});

test('a missing call is reported', async () => {
  const error = { code: 'NOT_FOUND', message: 'There is no call call_1' };
  const page = openPage(address, { '/calls/call_1': { status: 404, body: { error } } });
  await waitFor(() => expect(page.alerts()).toEqual(['There is no call call_1 Try again']));
});

test.each(failures)('a receipt shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.heading()).toBe('Cost of this call: $0.0345');
});
