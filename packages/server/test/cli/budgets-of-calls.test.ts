import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import { type Desk, textOf } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5", monthlyBudgetUsd: "90" }
  - { name: tutor, dailyBudgetUsd: "5" }
budgets:
  - { name: lab, apps: [search], dailyUsd: "3" }
  - { name: trial, apps: [search], dailyUsd: "0.0000001", mode: shadow }
`;

let stack: Stack;
let desk: Desk;
let callId: string;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
  const { body } = await meetChat(stack, 'search', 'sim-echo');
  callId = textOf(Object(body), 'id');
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

const run = async (...words: string[]) => (await desk.run([...words, '--config', desk.file])).out;

test('usage shows operators all budgets of an app, also hidden ones', async () => {
  const amounts = { spentUsd: '0.000006', heldUsd: '0' };
  const reset = { resetsAt: '2026-11-22T00:00:00.000Z' };
  const { scopes } = await desk.record(['usage', 'search']);
  const maxCostUsd = expect.stringMatching(/^0\.000\d+$/);
  expect(scopes).toEqual([
    {
      ...{ scope: 'app-month', mode: 'enforce', resetsAt: '2026-12-01T00:00:00.000Z' },
      ...{ capUsd: '90', remainingUsd: '89.999994', ...amounts },
    },
    {
      ...{ scope: 'group-day:lab', mode: 'enforce', ...reset },
      ...{ capUsd: '3', remainingUsd: '2.999994', ...amounts },
    },
    {
      ...{ scope: 'group-day:trial', mode: 'shadow', ...reset, ...amounts },
      ...{ capUsd: '0.0000001', remainingUsd: '0', wouldRefuse: { calls: 1, maxCostUsd } },
    },
  ]);
  expect(await desk.record(['usage', 'tutor'])).not.toHaveProperty('scopes');
  expect(await run('usage', 'search')).toContainEqual(
    expect.stringMatching(/^group-day:lab +\$3: \$0\.000006 spent, \$0 reserved, \$2\.999994 left/),
  );
});

test('the usage of an earlier day has the budgets of that day', async () => {
  const { scopes } = await desk.record(['usage', 'search', '--day', '2026-11-20']);
  expect(scopes).toMatchObject([{ scope: 'app-month', spentUsd: '0.000006' }]);
  const before = await desk.record(['usage', 'search', '--day', '2026-10-31']);
  expect(before).not.toHaveProperty('scopes');
});

test('a call is shown with its budgets', async () => {
  const scopes = [
    ...['app-month 2026-11', 'group-day:lab 2026-11-21', 'group-day:trial 2026-11-21'],
  ];
  expect(await desk.json(['calls', 'show', callId])).toMatchObject({ scopes });
  expect(await run('calls', 'show', callId)).toContainEqual(
    expect.stringMatching(/^budgets +app-month 2026-11, group-day:lab 2026-11-21/),
  );
});
