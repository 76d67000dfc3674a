import { afterEach, beforeEach, expect, test } from 'vitest';
import { chatOf, sendBody } from '../support/exchange.ts';
import type { Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;
const shown =
  'Users of tutor with calls in 2026-11 (1) keep their grant until 2026-12-01. All other users get the new grant of 2000 credits at once.';

let stack: Stack;
let desk: Desk;
beforeEach(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml));
  await sendBody(stack, 'tutor', chatOf('sim-echo', { userId: 'ada' }));
});
afterEach(async () => {
  expect(await stack.audit()).toMatchObject({ clean: true });
  await desk.close();
  await stack.close();
});

function update(more: readonly string[], ask?: (question: string) => Promise<string>) {
  return desk.run(['apps', 'update', 'tutor', ...more, '--config', desk.file], '', ask);
}

async function grantedTo(userId: string): Promise<unknown> {
  await stack.clock.run(stack.service.registry.refresh());
  const headers = { 'x-api-key': await stack.key('tutor') };
  const response = await stack.fetch(`http://gateway.test/v1/credits/${userId}`, { headers });
  const { granted }: { granted: unknown } = JSON.parse(await response.text());
  return granted;
}

test('without a terminal a changed grant is shown, and starts for other users', async () => {
  const { code, errors } = await update(['--monthly-credits', '2000']);
  expect({ code, errors }).toEqual({ code: 0, errors: [shown] });
  expect([await grantedTo('ada'), await grantedTo('bob')]).toEqual(['1000', '2000']);
  stack.clock.set(Date.UTC(2026, 11, 1));
  expect(await grantedTo('ada')).toBe('2000');
});

test('at a terminal it is shown before it is applied', async () => {
  const { code, errors } = await update(['--monthly-credits', '2000'], async () => 'no');
  expect({ code, first: errors[0] }).toEqual({ code: 1, first: shown });
  expect(await grantedTo('bob')).toBe('1000');
  expect(await update(['--monthly-credits', '2000'], async () => 'acme')).toMatchObject({
    code: 0,
  });
  expect(await grantedTo('bob')).toBe('2000');
});

test('a changed value of a credit starts with the next month', async () => {
  const { errors } = await update(['--usd-per-credit', '0.02', '--yes'], () =>
    Promise.reject(new Error('nobody is asked')),
  );
  expect(errors).toEqual([
    'The new grant of 1000 credits and the new value of a credit start on 2026-12-01 for all users of tutor.',
  ]);
});

test('a change of other settings, or to the same grant, shows nothing', async () => {
  const ask = () => Promise.reject(new Error('nobody is asked'));
  for (const more of [
    ['--daily-budget-usd', '6'],
    ['--monthly-credits', '1000'],
  ]) {
    expect(await update(more, ask)).toMatchObject({ code: 0, errors: [] });
  }
});
