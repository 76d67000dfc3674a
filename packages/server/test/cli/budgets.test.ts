import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, openDesk, textOf } from './support/desk.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(() => desk.close());

const setting = ['budgets', 'set', 'research', '--apps', 'search,tutor'];

test('a budget is set, listed, shown, changed and removed', async () => {
  expect(await desk.records(['budgets', 'list'])).toEqual([]);
  const [day, month] = await desk.records([...setting, '--daily-usd', '6', '--monthly-usd', '90']);
  expect(day).toMatchObject({ name: 'research', span: 'day', capUsd: '6', mode: 'enforce' });
  expect(day).toMatchObject({ apps: ['search', 'tutor'], visible: false, origin: 'command' });
  expect(month).toMatchObject({ span: 'month', capUsd: '90', remainingUsd: '90', users: null });
  const changing = ['budgets', 'set', 'research', '--daily-usd', 'none', '--mode', 'shadow'];
  expect(await desk.records([...changing, '--visible', 'true'])).toMatchObject([
    { span: 'month', mode: 'shadow', visible: true, wouldRefuse: { calls: 0, usd: '0' } },
  ]);
  expect(await desk.records(['budgets', 'list'])).toHaveLength(1);
  const { out } = await desk.run(['budgets', 'list', '--config', desk.file]);
  expect(out.join('\n')).toMatch(/research {2}month {2,}\$90 {2}shadow {2}search, tutor {2}yes/);

  const asked = await desk.run(['budgets', 'remove', 'research', '--config', desk.file]);
  expect(asked.code).toBe(2);
  expect(asked.errors[0]).toBe('research: $90 a month, $0 spent. The cap will no longer apply.');
  expect(await desk.records(['budgets', 'list'])).toHaveLength(1);
  expect(await desk.records(['budgets', 'remove', 'research', '--yes'])).toMatchObject([
    { name: 'research', span: 'month' },
  ]);
  expect(await desk.records(['budgets', 'list'])).toEqual([]);
});

test("an app's month and its users' days are its own settings", async () => {
  const options = ['--monthly-budget-usd', '100', '--per-user-daily-usd', '0.5'];
  expect(await desk.json(['apps', 'create', 'full', ...options])).toMatchObject({
    ...{ monthlyBudgetUsd: '100', perUserDailyUsd: '0.5', dailyBudgetUsd: null },
  });
  expect(await desk.records(['budgets', 'show', 'app:full'])).toMatchObject([{ capUsd: '100' }]);
  const { out } = await desk.run(['budgets', 'show', 'users:full', '--config', desk.file]);
  expect(out.join('\n')).toMatch(/cap +\$0\.5 for each user/);
  const taking = ['apps', 'update', 'full', '--monthly-budget-usd', 'none'];
  expect(await desk.json(taking)).toMatchObject({ monthlyBudgetUsd: null, perUserDailyUsd: '0.5' });
});

test('a budget until midnight applies only today, and outlives other changes', async () => {
  const raising = ['apps', 'update', 'search', '--daily-budget-usd', '8', '--until', 'midnight'];
  const raised = await desk.record(raising);
  expect(raised).toMatchObject({ app: 'search', capUsd: '8', dailyBudgetUsd: '5' });
  expect(textOf(raised, 'until')).toMatch(/T00:00:00\.000Z$/);
  const cap = async () => {
    const { budget } = await desk.record(['usage', 'search']);
    return Object(budget).capUsd;
  };
  expect(await cap()).toBe('8');
  expect(await desk.json(['apps', 'update', 'search', '--streaming', 'on'])).toMatchObject({
    dailyBudgetUsd: '5',
  });
  expect(await cap()).toBe('8');
  await desk.json(['apps', 'update', 'search', '--daily-budget-usd', '7']);
  expect(await cap()).toBe('7');
});

test.each([
  [
    'search',
    '--daily-budget-usd',
    '8',
    '--until',
    'noon',
    '--until must be one of midnight; it is "noon"',
  ],
  [
    'search',
    '--streaming',
    'on',
    '--until',
    'midnight',
    /^a cap until midnight requires a daily budget/,
  ],
  [
    'search',
    '--daily-budget-usd',
    'none',
    '--until',
    'midnight',
    /^a cap until midnight requires a daily budget/,
  ],
] as const)('apps update %s %s %s %s %s is rejected', async (...words) => {
  const sentence = words.at(-1);
  const line = ['apps', 'update', ...words.slice(0, -1).map(String), '--config', desk.file];
  const { code, errors } = await desk.run(line);
  expect(code).toBe(2);
  expect(errors.join()).toMatch(sentence instanceof RegExp ? sentence : String(sentence));
});

test('a budget until midnight is rejected for an app without a daily budget', async () => {
  const raising = ['apps', 'update', 'tutor', '--daily-budget-usd', '8', '--until', 'midnight'];
  const { code, errors } = await desk.run([...raising, '--config', desk.file]);
  expect({ code, errors: errors.join() }).toMatchObject({
    ...{ code: 1, errors: expect.stringMatching(/the app tutor has no daily budget/) },
  });
});

test.each([
  [['show', 'nobody'], 1, /unknown budget nobody; run "budgets list"/],
  [['remove', 'nobody', '--yes'], 1, /unknown budget nobody/],
  [['set', 'research'], 2, /nothing to set/],
  [['set', 'research', '--daily-usd', '1'], 2, /is new; specify its apps, or all/],
  [['set', 'research', '--apps', 'all'], 2, /would have no cap/],
  [['set', 'research', '--apps', 'a,,b'], 2, /--apps\[1\] must be the name of an app.*; it is ""/],
  [['set', 'research', '--apps', 'A'], 2, /--apps\[0\] must be the name of an app.*; it is "A"/],
  [['set', 'Research', '--apps', 'all', '--daily-usd', '1'], 2, /"Research" is not a valid name/],
  [['set', 'key:abc', '--apps', 'all', '--daily-usd', '1'], 2, /"key:abc" is not a valid name/],
  [
    ['set', 'research', '--apps', 'all', '--daily-usd', '-1'],
    2,
    /--daily-usd must be a decimal amount in USD.*; it is "-1"/,
  ],
  [
    ['set', 'research', '--apps', 'all', '--mode', 'x'],
    2,
    /--mode must be one of enforce, shadow; it is "x"/,
  ],
] as const)('budgets %j is rejected with %d', async (words, code, sentence) => {
  const result = await desk.run(['budgets', ...words, '--config', desk.file]);
  expect(result.code).toBe(code);
  expect(result.errors.join()).toMatch(sentence);
});
