import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { heldBy, readCalls } from '../support/books.ts';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import { type Desk, textOf } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "2", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
  - { name: free }
`;
const today = '2026-11-21';

let stack: Stack;
let desk: Desk;
beforeEach(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
});
afterEach(async () => {
  expect(await stack.audit()).toMatchObject({ clean: true });
  await desk.close();
  await stack.close();
});

test('a closed day books all that its budget has left, and admits no more calls', async () => {
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  const closed = await desk.records(['days', 'close', '--all', '--yes']);
  expect(closed).toEqual([
    { app: 'search', day: today, callId: expect.any(String), bookedUsd: '4.999994' },
    { app: 'tutor', day: today, callId: expect.any(String), bookedUsd: '2' },
  ]);
  const usage = await desk.record(['usage', 'search']);
  expect(usage).toMatchObject({
    budget: { capUsd: '5', spentUsd: '5', heldUsd: '0', remainingUsd: '0' },
    totals: { calls: 1, errors: 0, costUsd: '5', estimatedUsd: '4.999994', unpricedCalls: 0 },
  });
  expect((await meetChat(stack, 'search', 'sim-echo')).error?.code).toBe('BUDGET_EXCEEDED');
  expect((await meetChat(stack, 'free', 'sim-echo')).status).toBe(200);
  // The users do not pay for calls that cannot be attributed to them.
  expect(await desk.json(['wallets', 'show', 'tutor', 'ada'])).toMatchObject({ spent: '0' });
  expect(await desk.json(['days', 'close', '--all', '--yes'])).toEqual([]);
  stack.clock.set(Date.UTC(2026, 10, 22));
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
});

test('a correction to the platform’s bill opens the rest of the day', async () => {
  const [closed = {}] = await desk.records(['days', 'close', 'search', '--yes']);
  const id = textOf(closed, 'callId');
  expect(await desk.json(['calls', 'show', id])).toMatchObject({
    ...{ route: 'lost', model: 'unknown', code: 'LOST', basis: 'estimated', costUsd: '5' },
  });
  await desk.json(['calls', 'correct', id, '--usd', '1.25']);
  const usage = await desk.record(['usage', 'search']);
  expect(usage).toMatchObject({
    budget: { spentUsd: '1.25', remainingUsd: '3.75' },
    totals: { estimatedUsd: '0' },
  });
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
});

test('a known gap is booked unchanged, for any day, and above the budget', async () => {
  const close = ['days', 'close', 'search', '--yes', '--day', '2026-11-20', '--usd'];
  expect(await desk.json([...close, '1.5'])).toMatchObject([{ bookedUsd: '1.5' }]);
  expect(await desk.json([...close, '4'])).toMatchObject([{ bookedUsd: '4' }]);
  expect(await desk.json([...close, '0.25'])).toMatchObject([{ bookedUsd: '0.25' }]);
  const calls = await readCalls(stack.store, 'search', '2026-11-20');
  expect(calls.map(({ estimated }) => estimated)).toEqual([0n, 0n, 0n]);
  const usage = await desk.record(['usage', 'search', '--day', '2026-11-20']);
  expect(usage).toMatchObject({ budget: { capUsd: '5', spentUsd: '5.75', remainingUsd: '0' } });
  const free = ['days', 'close', 'free', '--usd', '3', '--yes'];
  expect(await desk.json(free)).toMatchObject([{ app: 'free', day: today, bookedUsd: '3' }]);
});

test('a closed day is reopened, and its known cost stays', async () => {
  const [closed = {}] = await desk.records(['days', 'close', 'search', '--yes']);
  await desk.json(['days', 'close', 'search', '--usd', '0.25', '--yes']);
  expect((await meetChat(stack, 'search', 'sim-echo')).error?.code).toBe('BUDGET_EXCEEDED');
  const callId = textOf(closed, 'callId');
  expect(await desk.json(['days', 'reopen', 'search'])).toEqual([
    { app: 'search', day: today, callId, freedUsd: '5' },
  ]);
  const usage = await desk.record(['usage', 'search']);
  expect(usage).toMatchObject({
    budget: { spentUsd: '0.25', remainingUsd: '4.75' },
    totals: { estimatedUsd: '0' },
  });
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  const lines = await stack.store.read({
    sql: "select action, subject, before_value, after_value from audit_log where action like 'day.%' order by action, after_value",
    values: [],
    map: (rows) => rows.map((row) => Object.values(row)),
  });
  expect(lines).toEqual([
    ['day.close', `search ${today}`, null, '0.25'],
    ['day.close', `search ${today}`, null, '5'],
    ['day.reopen', `search ${today}`, '5', '0'],
  ]);
  const again = await desk.run(['days', 'reopen', 'search', '--config', desk.file]);
  expect(again).toEqual({
    ...{ code: 1, out: [] },
    errors: [`nothing to reopen: the day ${today} of search is not closed`],
  });
});

test('a day is reopened at a terminal by the name of the company, or by --yes', async () => {
  const reopen = ['days', 'reopen', 'search', '--config', desk.file];
  await desk.json(['days', 'close', 'search', '--yes']);
  const left = await desk.run(reopen, '', async () => 'yes');
  expect(left).toMatchObject({ code: 1, out: [] });
  expect(left.errors.join('\n')).toMatch(
    /search +2026-11-21 +\$5\ndays reopen: nothing was changed/,
  );
  const shown = await desk.run([...reopen, '--dry-run', '--json']);
  expect(shown).toMatchObject({ code: 0, errors: ['Dry run: nothing was changed.'] });
  expect(shown.out.join('')).toContain('"freedUsd":"5"');
  expect((await desk.run(reopen, '', async () => 'acme')).code).toBe(0);
  await desk.json(['days', 'close', 'search', '--yes']);
  const never = () => Promise.reject(new Error('nobody is asked'));
  expect((await desk.run([...reopen, '--yes'], '', never)).code).toBe(0);
});

test('a past day is reopened by its name', async () => {
  const of = ['search', '--day', '2026-11-20'];
  expect(await desk.records(['days', 'close', ...of, '--yes'])).toHaveLength(1);
  expect(await desk.json(['days', 'reopen', ...of])).toMatchObject([
    { day: '2026-11-20', freedUsd: '5' },
  ]);
});

test.each([
  [['nobody'], 1, 'unknown app nobody'],
  [['search', '--day', 'today'], 2, '--day must be a UTC day such as 2026-11-21; it is "today"'],
  [[], 2, 'app must be the name of one app; use --all instead for all apps'],
])('days reopen %j is rejected', async (words, code, line) => {
  const result = await desk.run(['days', 'reopen', ...words, '--config', desk.file]);
  expect(result).toMatchObject({ code, out: [] });
  expect(result.errors.join('\n')).toContain(line);
});

test('running calls keep their reservation', async () => {
  const client = await stack.client('search');
  const messages = [{ role: 'user' as const, content: 'Hello!' }];
  const running = client.chat({ model: 'sim-slow', maxTokens: 100, messages });
  await until(async () => (await heldBy(stack.store, 'search')) === 1);
  const [closed = {}] = await desk.records(['days', 'close', 'search', '--yes']);
  expect(textOf(closed, 'bookedUsd')).toMatch(/^4\.99\d+$/);
  expect(await heldBy(stack.store, 'search')).toBe(1);
  expect(await stack.clock.run(running)).toMatchObject({ model: 'sim-slow' });
});

test.each([
  [['nobody'], 1, 'unknown app nobody'],
  [['free'], 1, 'the app free has no daily budget to close'],
  [['search', '--day', '2026-11-22'], 1, 'the day 2026-11-22 has not started'],
  [['search', '--day', 'today'], 2, '--day must be a UTC day such as 2026-11-21; it is "today"'],
  [['search', '--usd', 'much'], 2, '--usd must be a decimal amount in USD'],
  [['--all', '--usd', '1'], 2, 'an amount requires a single app'],
  [[], 2, 'app must be the name of one app; use --all instead for all apps'],
  [['all'], 2, 'app must be the name of one app; use --all instead for all apps'],
  [['search', '--all'], 2, 'app must be the name of one app; use --all instead for all apps'],
  [['search', '--reference', 'a'], 2, 'a reference requires an amount (--usd)'],
  [['search', '--usd', '1', '--reference', ''], 2, '--reference must not be empty'],
  [['search', '--reason', ''], 2, '--reason must not be empty'],
])('days close %j is rejected', async (words, code, line) => {
  const result = await desk.run(['days', 'close', ...words, '--yes', '--config', desk.file]);
  expect(result).toMatchObject({ code, out: [] });
  expect(result.errors.join('\n')).toContain(line);
});
