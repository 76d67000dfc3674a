import { expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { expectBooks, paid } from '../support/books.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack();
const most = maximumCostPicoUsd(chatOf('sim-echo'));
const costOfOne = 6_000_000n;

test('a budget of exactly the maximum cost admits a call', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: most });
  expect((await meetChat(stack, app, 'sim-echo')).status).toBe(200);
  await expectBooks(stack, app, { calls: [paid('0.000006')], billedUsd: '0.000006' });
});

test('a budget a trillionth of a dollar too low returns a size that fits', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: most + costOfOne - 1n });
  expect((await meetChat(stack, app, 'sim-echo')).status).toBe(200);
  stack.clock.set(Date.UTC(2026, 10, 21, 23, 59, 30, 400));
  const seconds = Math.ceil((Date.UTC(2026, 10, 22) - stack.clock.now()) / 1_000);
  expectError(await meetChat(stack, app, 'sim-echo'), {
    status: 429,
    code: 'BUDGET_EXCEEDED',
    says: [
      `the app has a daily budget of $${usd(most + costOfOne - 1n)}, with $0.000006 spent`,
      '$0 reserved for running calls',
      `this call could cost $${usd(most)} (maxTokens 99 would fit)`,
      'resets at 00:00 UTC',
    ],
    retryAfter: String(seconds),
  });
  await expectBooks(stack, app, { calls: [paid('0.000006')], billedUsd: '0.000006' });
});

test('a call above the whole daily budget gets no retry-after', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: most - 1n });
  const refused = await meetChat(stack, app, 'sim-echo');
  expectError(refused, {
    status: 429,
    code: 'BUDGET_EXCEEDED',
    says: [
      `the app has a daily budget of $${usd(most - 1n)}, with $0 spent`,
      `this call could cost $${usd(most)} (maxTokens 99 would fit)`,
      'exceeds the whole daily budget',
    ],
  });
  expect(refused.text).not.toContain('00:00 UTC');
  await expectBooks(stack, app, { calls: [], billedUsd: '0' });
  // Nor does a call that counts as free, with a budget of 0.
  const none = await newApp({ dailyBudgetPicoUsd: 0n, unpriced: 'free' });
  const unpriced = await meetChat(stack, none, 'sim-unpriced');
  expect([unpriced.status, unpriced.headers.has('retry-after')]).toEqual([429, false]);
});

test('the maxTokens in the rejection fits, and one more does not', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: 5_000_000_000n });
  const ask = (maxTokens: number) => meetChat(stack, app, 'sim-truncated', { maxTokens });
  await ask(1_000);
  const fits = Number(/maxTokens (\d+) would fit/.exec((await ask(9_999)).text)?.[1]);
  expect(fits).toBeGreaterThan(999);
  expect((await ask(fits + 1)).status).toBe(429);
  expect((await ask(fits)).status).toBe(422);
});

test('a budget of nothing admits nothing, and no maxTokens would fit', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: 0n });
  const refused = await meetChat(stack, app, 'sim-echo', { maxTokens: 1 });
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('(no maxTokens would fit)');
});

test('an app without a budget is never rejected', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: undefined });
  expect((await meetChat(stack, app, 'sim-echo', { maxTokens: 1_000_000 })).status).toBe(200);
  const { body } = await meet(stack, app, (client) => client.usage());
  expect(body).toMatchObject({ budget: null, totals: { calls: 1, costUsd: '0.000006' } });
});

test('maxTokens above the model’s limit reserves no more than the maximum cost', async () => {
  const { stack, newApp } = shared();
  const clamped = maximumCostPicoUsd(chatOf('sim-truncated', { maxTokens: 1_000_000 }));
  const app = await newApp({ dailyBudgetPicoUsd: clamped });
  const ask = () => meetChat(stack, app, 'sim-truncated', { maxTokens: 1_000_000 });
  expect((await ask()).status).toBe(422);
  // 24 tokens of input, and the model's maximum of output.
  const cost = 24n * 150_000n + 16_384n * 600_000n;
  const booked = paid(usd(cost), 'TRUNCATED');
  await expectBooks(stack, app, { calls: [booked], billedUsd: usd(cost) });
  expect((await ask()).status).toBe(429);
});

test('a budget change of an operator applies within a second, for the current day', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: most - 1n });
  expect((await meetChat(stack, app, 'sim-echo')).status).toBe(429);
  await updateApp(stack.admin, app, { dailyBudgetPicoUsd: most });
  await stack.clock.advance(1_000);
  expect((await meetChat(stack, app, 'sim-echo')).status).toBe(200);
  await updateApp(stack.admin, app, { dailyBudgetPicoUsd: 1n });
  await stack.clock.advance(1_000);
  const refused = await meetChat(stack, app, 'sim-echo');
  expect(refused.text).toContain('the app has a daily budget of $0.000000000001');
  await expectBooks(stack, app, { calls: [paid('0.000006')], billedUsd: '0.000006' });
});

test('the first millisecond of the next UTC day has its own budget', async () => {
  const { stack, newApp } = shared();
  const app = await newApp({ dailyBudgetPicoUsd: most + 1_000_000n });
  stack.clock.set(Date.UTC(2026, 10, 23, 23, 59, 59, 999));
  expect((await meetChat(stack, app, 'sim-echo')).status).toBe(200);
  const refused = await meetChat(stack, app, 'sim-echo');
  expect(refused.headers.get('retry-after')).toBe('1');
  stack.clock.set(Date.UTC(2026, 10, 24));
  expect((await meetChat(stack, app, 'sim-echo')).status).toBe(200);
});

test(
  'reserved money of a running call is not available to others, and its unused part is',
  onStack(async (stack) => {
    await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: most + most / 2n });
    await stack.key('search');
    const running = meetChat(stack, 'search', 'sim-slow');
    await stack.clock.settle();
    const refused = await stack.post('search', '/v1/chat', chatOf('sim-echo'));
    expect(refused.status).toBe(429);
    const held = usd(maximumCostPicoUsd(chatOf('sim-slow')));
    expect(await refused.text()).toContain(`$${held} reserved for running calls`);
    expect((await running).status).toBe(200);
    expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  }),
);
