import { afterAll, beforeAll, expect, test } from 'vitest';
import { meetChat } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: quiet, dailyBudgetUsd: "12.5" }
  - { name: free }
`;

let stack: Stack;
let desk: Desk;
beforeAll(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
  await meetChat(stack, 'search', 'sim-echo');
  await meetChat(stack, 'free', 'sim-echo');
});
afterAll(async () => {
  await desk.close();
  await stack.close();
});

const usage = async (...words: string[]) =>
  (await desk.run(['usage', ...words, '--config', desk.file])).out;

test('numbers are aligned, and the sum of all apps is below them', async () => {
  expect(await usage()).toEqual([
    'app     day         calls  errors       cost  reserved   remaining  daily budget',
    'free    2026-11-21      1       0  $0.000006         -    -               none',
    'quiet   2026-11-21      0       0  $0               $0  $12.5              $12.5',
    'search  2026-11-21      1       0  $0.000006        $0   $4.999994          $5',
    'total   2026-11-21      2       0  $0.000012        $0    -                  -',
  ]);
});

test('today and yesterday are days', async () => {
  expect(await usage('search', '--day', 'today')).toEqual(await usage('search'));
  const yesterday = await usage('search', '--day', 'yesterday');
  expect(yesterday).toContain('day             2026-11-20');
  expect(yesterday).toContain('budget          not recorded (no calls that day)');
  expect(await desk.json(['usage', 'search', '--day', 'yesterday'])).toEqual(
    await desk.json(['usage', 'search', '--day', '2026-11-20']),
  );
});
