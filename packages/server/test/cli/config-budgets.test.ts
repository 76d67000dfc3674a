import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5", monthlyBudgetUsd: "90", perUserDailyUsd: "1" }
budgets:
  - { name: lab, apps: [search], dailyUsd: "3" }
  - { name: old, apps: all, monthlyUsd: "100" }
`;

let stack: Stack;
let desk: Desk;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

test('a startup that changes no budget reports none', async () => {
  const diff = await desk.run(['config', 'diff', '--config', desk.file]);
  expect(diff.out).toEqual([expect.stringContaining('changes nothing')]);
});

test('the budgets of a file are compared with those of the store, one by one', async () => {
  await desk.run(['budgets', 'set', 'lab', '--mode', 'shadow', '--config', desk.file]);
  const changed = (await readFile(desk.file, 'utf8'))
    .replace(
      'monthlyBudgetUsd: "90", perUserDailyUsd: "1"',
      'monthlyBudgetUsd: "80", perUserDailyUsd: "2"',
    )
    .replace('dailyUsd: "3"', 'dailyUsd: "4"')
    .replace('name: old, apps: all, monthlyUsd: "100"', 'name: fresh, apps: all, dailyUsd: "7"');
  await writeFile(desk.file, changed);
  expect(await desk.json(['config', 'diff'])).toMatchObject({
    apps: [
      {
        ...{ app: 'search', atStart: 'change' },
        settings: [
          { setting: 'monthlyBudgetUsd', store: '90', file: '80', isSet: true },
          { setting: 'perUserDailyUsd', store: '1', file: '2', isSet: true },
        ],
      },
    ],
    budgets: [
      {
        ...{ budget: 'lab', atStart: 'change' },
        settings: [
          { setting: 'dailyUsd', store: '3', file: '4', isSet: true },
          { setting: 'mode', store: 'shadow', file: 'enforce', isSet: false },
        ],
      },
      { budget: 'fresh', atStart: 'create' },
      { budget: 'old', atStart: 'keep', settings: [] },
    ],
  });
  const { out } = await desk.run(['config', 'diff', '--config', desk.file]);
  expect(out).toContainEqual(expect.stringMatching(/^budget lab +set +dailyUsd +3 +4$/));
  expect(out).toContainEqual(
    expect.stringMatching(/^budget lab +unchanged +mode +shadow +enforce$/),
  );
  expect(out).toContainEqual(expect.stringMatching(/^budget fresh +created +apps +- +all$/));
  expect(out).toContainEqual(expect.stringMatching(/^budget old +kept$/));
  expect(await desk.records(['budgets', 'show', 'lab'])).toMatchObject([{ capUsd: '3' }]);
});

test('a budget over an app that neither the file nor the store has is rejected', async () => {
  const check = () => desk.run(['config', 'check', '--config', desk.file]);
  const over = async (from: string | RegExp, to: string) =>
    writeFile(desk.file, (await readFile(desk.file, 'utf8')).replace(from, to));
  await over('name: lab, apps: [search]', 'name: lab, apps: [serach]');
  expect(await check()).toMatchObject({
    code: 2,
    errors: ['budgets[0].apps: the app "serach" does not exist; did you mean "search"?'],
  });
  await desk.json(['apps', 'create', 'helper']);
  await over('[serach]', '[search, helper]');
  expect((await check()).code).toBe(0);
  await over(/store: .*/, 'store: sqlite:./none.db');
  expect((await check()).errors).toEqual([
    'budgets[0].apps: the app "helper" does not exist; run "apps list"',
  ]);
});
