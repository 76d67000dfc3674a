import { afterEach, beforeEach, expect, test } from 'vitest';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5", monthlyBudgetUsd: "50", perUserDailyUsd: "1" }
  - { name: tutor, credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
budgets:
  - { name: lab, apps: [search, tutor], dailyUsd: "9", monthlyUsd: "90" }
`;
const today = '2026-11-21';
const restoredAt = '2026-11-21T12:00:00';

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

const codeOf = async (app: string) => {
  const { error } = await meetChat(stack, app, 'sim-echo', { userId: 'ada' });
  return error?.code ?? 'OK';
};

const run = (...words: readonly string[]) => desk.run([...words, '--config', desk.file]);

async function auditLines() {
  return stack.store.read({
    sql: `
      select action, subject from audit_log
       where action in ('store.restored', 'budget.reopen', 'wallet.reopen') order by seq`,
    values: [],
    map: (rows) => rows.map(({ action, subject }) => `${action} ${subject}`),
  });
}

test('days close --all closes every budget, and days reopen --all opens them', async () => {
  const dry = await run('days', 'close', '--all', '--dry-run');
  expect(dry).toMatchObject({ code: 0 });
  expect(await codeOf('search')).toBe('OK');
  const asked = await run('days', 'close', '--all');
  expect(asked.code).toBe(2);
  expect(asked.errors.join('\n')).toContain(
    'app:search (month), lab (day), lab (month), users:search (day), the wallets of tutor',
  );
  const closed = await run('days', 'close', '--all', '--yes', '--reason', 'restored');
  expect(closed.code).toBe(0);
  expect(closed.errors.join('\n')).toContain('Closed: app:search (month), lab (day)');
  expect(await codeOf('search')).toBe('BUDGET_EXCEEDED');
  expect(await codeOf('tutor')).toBe('BUDGET_EXCEEDED');

  const listed = await desk.records(['budgets', 'list']);
  expect(listed).toHaveLength(4);
  for (const { closedAt } of listed) expect(closedAt).toContain(restoredAt);
  expect((await run('budgets', 'list')).out.join('\n')).toContain('closed by the restore');
  const [shown] = await desk.records(['budgets', 'show', 'lab']);
  expect(shown).toMatchObject({ closedAt: listed[0]?.closedAt, remainingUsd: '0' });

  const asks = await run('days', 'reopen', '--all');
  expect(asks.code).toBe(2);
  expect(asks.errors.join('\n')).toContain('These will be opened, and their calls admitted again:');
  const dryRun = await desk.record(['days', 'reopen', '--all', '--dry-run']);
  expect(await codeOf('search')).toBe('BUDGET_EXCEEDED');
  const opened = await desk.record(['days', 'reopen', '--all', '--yes']);
  expect(opened).toEqual(dryRun);
  expect(opened).toMatchObject({
    opensBudgets: true,
    runs: 0,
    days: [{ app: 'search', day: today }],
  });
  expect(await codeOf('search')).toBe('OK');
  expect(await codeOf('tutor')).toBe('INSUFFICIENT_CREDITS');
  const again = await run('days', 'reopen', '--all', '--yes');
  expect(again.code).toBe(1);
  expect(again.errors.join('\n')).toContain(
    `nothing to reopen: no budget is closed, and no lost calls are booked on ${today}; "wallets reopen --all" opens the wallets`,
  );
  const wallet = await desk.record(['wallets', 'show', 'tutor', 'ada']);
  expect(wallet).toMatchObject({ available: '0', closedAt: expect.stringContaining(restoredAt) });
  expect((await run('wallets', 'reopen', '--all')).code).toBe(2);
  expect((await run('wallets', 'reopen', '--yes')).code).toBe(2);
  const dryWallets = await desk.record(['wallets', 'reopen', '--all', '--dry-run']);
  const wallets = await desk.record(['wallets', 'reopen', '--all', '--yes']);
  expect(wallets).toEqual(dryWallets);
  expect(wallets).toMatchObject({ apps: ['tutor'] });
  expect(await codeOf('tutor')).toBe('OK');
  expect((await run('wallets', 'reopen', '--all', '--yes')).errors).toContain(
    'no wallet is closed',
  );
  expect(await auditLines()).toEqual([
    ...['store.restored store', 'budget.reopen all', 'wallet.reopen wallets'],
  ]);
});

test('budgets reopen opens one budget in both its spans', async () => {
  await desk.json(['days', 'close', '--all', '--yes']);
  await desk.json(['days', 'reopen', 'search']);
  expect((await run('budgets', 'reopen', 'lab')).code).toBe(2);
  const planned = await desk.records(['budgets', 'reopen', 'lab', '--dry-run']);
  expect(planned[0]?.closedAt).not.toBeNull();
  expect(await desk.json(['budgets', 'reopen', 'lab', '--yes'])).toMatchObject([
    { name: 'lab', span: 'day', closedAt: null },
    { name: 'lab', span: 'month', closedAt: null },
  ]);
  const refused = await meetChat(stack, 'search', 'sim-echo', { userId: 'ada' });
  expect(refused.error?.message).toContain('"budgets reopen app:search"');
  await desk.json(['budgets', 'reopen', 'app:search', '--yes']);
  expect(await codeOf('search')).toBe('BUDGET_EXCEEDED');
  await desk.json(['budgets', 'reopen', 'users:search', '--yes']);
  expect(await codeOf('search')).toBe('OK');
  const again = await run('budgets', 'reopen', 'lab', '--yes');
  expect(again).toMatchObject({ code: 1, errors: ['the budget lab is not closed'] });
  expect((await run('budgets', 'reopen', 'nothing', '--yes')).errors.join()).toContain(
    'unknown budget nothing',
  );
  expect(await auditLines()).toEqual([
    ...['store.restored store', 'budget.reopen group:lab'],
    ...['budget.reopen app:search', 'budget.reopen users:search'],
  ]);
});

test('a day that is closed by its app or its date closes no other budget', async () => {
  await desk.json(['days', 'close', 'search', '--yes']);
  await desk.json(['days', 'close', '--all', '--day', '2026-11-20', '--yes']);
  expect(await auditLines()).toEqual([]);
  expect(await desk.record(['days', 'reopen', '--all', '--day', today, '--yes'])).toMatchObject({
    ...{ opensBudgets: false, budgets: [] },
    days: [{ app: 'search', day: today, freedUsd: '5' }],
  });
  expect(await codeOf('search')).toBe('OK');
});

test.each([
  [
    ['days', 'reopen', 'search', '--all'],
    'app must be the name of one app; use --all instead for all apps',
  ],
  [['days', 'reopen'], 'app must be the name of one app; use --all instead for all apps'],
  [['wallets', 'reopen'], "required option '--all' not specified"],
])('%j is rejected', async (words, line) => {
  const result = await run(...words, '--yes');
  expect(result).toMatchObject({ code: 2, out: [] });
  expect(result.errors.join('\n')).toContain(line);
});
