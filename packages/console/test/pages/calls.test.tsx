import { expect, test } from 'vitest';
import { csvOf } from '../../src/pages/calls/csv.ts';
import { callStats, noCallStats } from '../documents/call-stats.ts';
import {
  calls,
  mostExpensiveCalls,
  noCalls,
  noCallsSoFar,
  noMostExpensiveCalls,
} from '../documents/calls.ts';
import { noneRunning, running } from '../documents/holds.ts';
import { receipt } from '../documents/receipt.ts';
import { viewer } from '../documents/session.ts';
import { expectRecovery, failures } from '../support/failures.ts';
import { openPage } from '../support/page.ts';
import { waitFor } from '../support/wait-for.ts';

const address = '/console/calls?code=OK';
const documents = () => ({
  ...{ '/calls': { body: calls }, '/call-stats': { body: callStats } },
  ...{ '/holds': { body: noneRunning } },
  ...{ '/apps': { body: { items: [], after: null } } },
  ...{ '/models': { body: { items: [], after: null } } },
  ...{ '/calls/call_1': { body: receipt }, '/calls/call_2': { body: receipt } },
});
const apps = { items: [{ name: 'a name without calls' }], after: null };
const newest = 'Calls, newest first';
const mostExpensive = 'Calls, most expensive first';
const first = {
  ...{ 'Time (UTC)': 'Nov 22, 14:58:00 UTC', App: 'search', Model: 'gpt-5.4', Status: 'OK' },
  ...{ Cost: '$0.0231', Input: '1,240', Output: '311', Latency: '1.83 s', TTFT: '412 ms' },
  Attempts: '1',
};
const second = {
  ...{ 'Time (UTC)': 'Nov 22, 14:57:00 UTC', App: 'tutor', Model: 'claude-opus' },
  ...{ Status: 'Upstream error', Cost: '$1.50', Input: '1,240', Output: '0' },
  ...{ Latency: '26.00 s', TTFT: '–', Attempts: '2' },
};

test('Calls has a row for each call, and the way to older ones', async () => {
  const page = openPage(address, documents());
  await waitFor(() => expect(page.table(newest)).toEqual([first, second]));
  expect(page.heading()).toBe('Calls');
  expect(page.link('Older calls')).toBe('/console/calls?code=OK&after=call_2');
  expect(page.asked.map(({ path }) => path)).toContain('/calls?code=OK&limit=50');
  expect(page.alerts()).toEqual([]);
});

test('the figures use the same filter, and cover each app and model', async () => {
  const page = openPage(`${address}&since=1h`, documents());
  const figures = '1,200 calls $8.47 2.5% failed p50 812 ms p95 4.20 s TTFT p50 318 ms';
  await waitFor(() => expect(page.content()).toContain(figures));
  expect(page.asked.map(({ path }) => path)).toContain('/call-stats?code=OK&since=1h');
  await page.unfold('By app and by model');
  await page.unfold('Show as a table');
  await waitFor(() => expect(page.table('Calls over time, by result')).toHaveLength(2));
  expect(page.table('By app')).toMatchObject([
    { 'By app': 'search', Calls: '1,000', Failed: '0% failed', 'TTFT p50': '812 ms' },
    { 'By app': 'tutor', Calls: '200', Failed: '15% failed', 'TTFT p50': '–' },
  ]);
  expect(page.link('tutor')).toBe('/console/calls?code=OK&since=1h&app=tutor');
  expect(page.table('Calls over time, by result')?.[1]).toEqual({
    ...{ 'Start (UTC)': '14:30', Calls: '700', Failed: '30' },
  });
});

test('a slice of the chart leads to its calls', async () => {
  const page = openPage('/console/calls', documents());
  await page.unfold('Show as a table');
  await waitFor(() => expect(page.has('14:30')).toBe(true));
  expect(page.link('14:30')).toBe(
    '/console/calls?since=2026-11-22T14%3A30%3A00.000Z&until=2026-11-22T15%3A00%3A00.000Z',
  );
});

test('figures that reached the time limit are marked as partial', async () => {
  const partial = { ...callStats, searchedBackTo: '2026-11-22T14:20:00.000Z' };
  const page = openPage(address, { ...documents(), '/call-stats': { body: partial } });
  await waitFor(() => expect(page.content()).toContain('calls since Nov 22, 14:20:00 UTC'));
});

test('a call opens in a drawer, j shows the next, and Escape gives the focus back', async () => {
  const page = openPage(address, documents());
  await page.click('Nov 22, 14:58:00 UTC');
  await waitFor(() => expect(page.address()).toBe('/console/calls?code=OK&call=call_1'));
  await waitFor(() => expect(page.content()).toContain('Cost verified.'));
  expect(page.link('Open as a page')).toBe('/console/calls/call_1');
  press('j');
  await waitFor(() => expect(page.address()).toBe('/console/calls?code=OK&call=call_2'));
  await waitFor(() => expect(page.asked.at(-1)?.path).toBe('/calls/call_2'));
  press('Escape');
  await waitFor(() => expect(page.address()).toBe('/console/calls?code=OK'));
  await waitFor(() => expect(document.activeElement?.id).toBe('open-call_2'));
  expect(page.content()).not.toContain('Cost verified.');
});

function press(key: string): void {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}

test('a filter goes into the address and into the request', async () => {
  const page = openPage('/console/calls?app=search&after=call_5', documents());
  await page.pick('Status');
  await page.click('Timed out (TIMEOUT)');
  await waitFor(() => expect(page.address()).toBe('/console/calls?app=search&code=TIMEOUT'));
  await waitFor(() =>
    expect(page.asked.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/calls?app=search&code=TIMEOUT&limit=50',
        '/call-stats?app=search&code=TIMEOUT',
      ]),
    ),
  );
});

test('pickers have their lists even if the calls need no new read', async () => {
  const page = openPage('/console/calls', { ...documents(), '/apps': { body: apps } });
  await page.pick('App');
  await waitFor(() => expect(page.has('a name without calls')).toBe(true));
  await page.click('Health');
  await waitFor(() => expect(page.heading()).toBe('Health'));
  await page.click('Calls');
  await page.pick('App');
  await waitFor(() => expect(page.has('a name without calls')).toBe(true));
});

test('a text outside the list is valid too', async () => {
  const page = openPage('/console/calls', documents());
  await page.pick('User');
  await page.fill('Search User', 'مستخدم-٧');
  await page.click('مستخدم-٧');
  await waitFor(() => expect(decodeURIComponent(page.address())).toContain('?user=مستخدم-٧'));
});

test('the failed calls are a separate view', async () => {
  const page = openPage(address, documents());
  await page.click('Failed');
  await waitFor(() => expect(page.address()).toBe('/console/calls?failed=true'));
  await waitFor(() =>
    expect(page.asked.map(({ path }) => path)).toContain('/calls?failed=true&limit=50'),
  );
});

test('calls by cost have a note of the unsearched ones', async () => {
  const page = openPage(address, {
    ...documents(),
    '/calls?order=cost': { body: mostExpensiveCalls },
  });
  await page.click('Cost');
  await waitFor(() => expect(page.table(mostExpensive)).toEqual([second, first]));
  expect(page.content()).toContain('until Nov 10, 00:00:00 UTC, each at most $2.50');
});

test.each([
  ['/console/calls', '/holds?limit=20'],
  ['/console/calls?app=search', '/holds?app=search&limit=20'],
  ['/console/calls?app=search&model=gpt-5.4', '/holds?app=search&model=gpt-5.4&limit=20'],
])('%s has running calls on top, with their maximum cost', async (of, path) => {
  const page = openPage(of, { ...documents(), '/holds': { body: running } });
  await waitFor(() =>
    expect(page.table(newest)?.[0]).toMatchObject({
      ...{ Status: 'Running', Cost: '≤ $1.20', Latency: '–', Attempts: '–' },
    }),
  );
  expect(page.content()).toContain('2 calls, 1 of 1,203 running calls');
  expect(page.asked.map(({ path }) => path)).toContain(path);
});

test.each(['code=OK', 'after=call_5', 'order=cost', 'user=u7'])(
  'calls with %s have no running calls',
  async (filter) => {
    const page = openPage(`/console/calls?${filter}`, {
      ...{ ...documents(), '/calls?order=cost': { body: mostExpensiveCalls } },
      '/holds': { body: running },
    });
    await waitFor(() => expect(page.content()).toContain('Upstream error'));
    expect(page.content()).not.toContain('Running');
    expect(page.asked.map(({ path }) => path).join(' ')).not.toContain('/holds');
  },
);

test('a call that ended between two reads is one row', async () => {
  const [ended] = calls.items;
  const [hold] = running.items;
  const body = { ...running, items: [{ ...hold, id: ended?.id }] };
  const page = openPage('/console/calls', { ...documents(), '/holds': { body } });
  await waitFor(() => expect(page.table(newest)).toEqual([first, second]));
});

test('unreadable running calls leave the others in their place', async () => {
  const page = openPage('/console/calls', { ...documents(), '/holds': { status: 503, body: {} } });
  await waitFor(() => expect(page.table(newest)).toEqual([first, second]));
});

test('a viewer is offered no filter by user', async () => {
  const page = openPage('/console/calls', documents(), { session: viewer });
  await waitFor(() => expect(page.table(newest)).toEqual([first, second]));
  expect(page.has('Key any')).toBe(true);
  expect(page.has('User any')).toBe(false);
});

test('more columns can be chosen', async () => {
  const page = openPage('/console/calls', documents());
  await page.toggle('Served by');
  await waitFor(() => expect(page.table(newest)?.[0]).toMatchObject({ 'Served by': 'openai' }));
});

test('all calls of the days are requested with the same filter', async () => {
  const page = openPage('/console/calls?app=search&failed=true&since=7d', {
    ...documents(),
    'POST /reports': { body: { id: 'job_1' } },
  });
  await page.click('CSV of all calls, 2026-11-15 to 2026-11-22');
  await waitFor(() =>
    expect(page.sent()).toEqual([
      [
        'POST /reports',
        {
          ...{ kind: 'callsCsv', from: '2026-11-15', to: '2026-11-22' },
          ...{ app: 'search', failed: true },
        },
      ],
    ]),
  );
});

test('the file of the shown rows has all digits, and no name that is a formula', () => {
  const [call] = calls.items;
  if (call === undefined) throw new Error('the document has a call');
  const [head, line, end] = csvOf([{ ...call, app: '=1+1', userId: 'a,"b"' }]).split('\n');
  expect(head).toBe(
    'id,startedAt,app,keyId,userId,model,platform,code,costUsd,estimatedUsd,basis,inputTokens,cachedInputTokens,cacheWriteInputTokens,outputTokens,reasoningTokens,tookMs,firstMs,attempts',
  );
  expect(line).toBe(
    `call_1,2026-11-22T14:58:00.000Z,'=1+1,key_1,"a,""b""",gpt-5.4,openai,OK,0.0231,0,exact,1240,1024,0,311,64,1830,412,1`,
  );
  expect(end).toBe('');
});

test('Calls without a row explains when there is one', async () => {
  const none = { '/calls': { body: noCalls }, '/call-stats': { body: noCallStats } };
  const page = openPage('/console/calls', { ...documents(), ...none });
  const text = 'No calls yet Calls appear here after they finish.';
  await waitFor(() => expect(page.content()).toContain(text));
  expect(page.content()).toContain('0 calls $0.00 0% failed p50 –');
  expect(page.has('Older calls')).toBe(false);
});

test('a filter without a match can be cleared', async () => {
  const page = openPage(`${address}&order=cost`, {
    ...documents(),
    '/calls?order=cost': { body: noMostExpensiveCalls },
  });
  await waitFor(() => expect(page.content()).toContain('No matching calls'));
  expect(page.link('Clear filters')).toBe('/console/calls');
});

test('a search that reached its time limit can be continued', async () => {
  const page = openPage(address, { ...documents(), '/calls': { body: noCallsSoFar } });
  await waitFor(() => expect(page.content()).toContain('No matches so far'));
  expect(page.content()).toContain('Searched back to Nov 20, 00:00:00 UTC.');
  expect(page.link('Continue search')).toBe('/console/calls?code=OK&after=call_8');
});

test.each(failures)('Calls shows why it $name, and is read again', async (failure) => {
  const page = await expectRecovery(address, documents(), failure);
  expect(page.table(newest)).toEqual([first, second]);
});
