import { expect, test } from 'vitest';
import { calls, dearestCalls, noCalls, noCallsSoFar, noDearestCalls } from '../documents/calls.ts';
import { receipt } from '../documents/receipt.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/calls?app=search';
const documents = () => ({ '/calls': { body: calls } });
const first = {
  ...{ Call: 'call_1', Started: '2026-11-22 14:58:00 UTC', App: 'search', User: 'u7' },
  ...{ Model: 'gpt-5.4', Code: 'OK', Cost: '$0.02', Basis: 'exact' },
};
const second = {
  ...{ Call: 'call_2', Started: '2026-11-22 14:57:00 UTC', App: 'tutor', User: '–' },
  ...{ Model: 'claude-opus', Code: 'UPSTREAM_ERROR', Cost: '$1.50', Basis: 'estimated' },
};

test('Calls has a row for each call, and the way to older ones', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table('Calls')).toEqual([first, second]));
  expect(page.heading()).toBe('Calls');
  expect(page.link('Older calls')).toBe('/console/calls?app=search&after=call_2');
  expect(page.asked.at(-1)?.path).toBe('/calls?app=search&limit=50');
  expect(page.alerts()).toEqual([]);
});

test('a row opens its receipt', async () => {
  const page = openPage(address, { ...documents(), '/calls/call_1': { body: receipt } });
  await page.click('call_1');
  await waitFor(() => expect(page.heading()).toBe('Receipt'));
  expect(page.address()).toBe('/console/calls/call_1');
});

test('a filter goes into the address, and is what the service is asked for', async () => {
  const page = openPage(`${address}&after=call_5`, documents());
  await page.fill('Code', 'UPSTREAM_ERROR');
  await waitFor(() => expect(page.address()).toBe('/console/calls?app=search&code=UPSTREAM_ERROR'));
  await waitFor(() =>
    expect(page.asked.at(-1)?.path).toBe('/calls?app=search&code=UPSTREAM_ERROR&limit=50'),
  );
});

test('calls by their cost have a note of those that were not searched', async () => {
  const page = openPage(address, { ...documents(), '/dearest-calls': { body: dearestCalls } });
  await page.fill('First', 'cost');
  await waitFor(() => expect(page.table('Calls, the dearest first')).toEqual([second, first]));
  expect(page.content()).toContain(
    'calls from 2026-11-01 00:00:00 UTC until 2026-11-10 00:00:00 UTC, none of which costs more than $2.50',
  );
});

test('Calls without a row says when there is one', async () => {
  const page = openPage(address, { '/calls': { body: noCalls } });
  const text = 'No call is like this. Calls appear here when they have ended.';
  await waitFor(() => expect(page.content()).toContain(text));
  expect(page.has('Older calls')).toBe(false);
});

test('calls by their cost without a row say the same', async () => {
  const page = openPage(`${address}&order=cost`, { '/dearest-calls': { body: noDearestCalls } });
  const text = 'No call is like this. Calls appear here when they have ended.';
  await waitFor(() => expect(page.content()).toContain(text));
});

test('a search that ran out of time can be continued', async () => {
  const page = openPage(address, { '/calls': { body: noCallsSoFar } });
  await waitFor(() => expect(page.content()).toContain('Nothing was found so far.'));
  expect(page.content()).toContain('Searched back to 2026-11-20 00:00:00 UTC.');
  expect(page.link('Search on')).toBe('/console/calls?app=search&after=call_8');
});

test.each(failures)('Calls shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table('Calls')).toEqual([first, second]);
});
