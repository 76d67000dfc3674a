import { describe, expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { meet, meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack();

test('a model without a price costs null, is counted, and is free to the budget', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const answer = await meetChat(stack, app, 'sim-unpriced');
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    usage: { inputTokens: 24, outputTokens: 4 },
    cost: { usd: null, estimated: false },
  });
  const { body } = await meet(stack, app, (client) => client.usage());
  expect(body).toMatchObject({
    budget: { spentUsd: '0', heldUsd: '0', remainingUsd: '5' },
    totals: { calls: 1, inputTokens: 24, outputTokens: 4, costUsd: '0', unpricedCalls: 1 },
    models: [{ model: 'sim-unpriced', unpricedCalls: 1 }],
  });
  await expectBooks(stack, app, { calls: [paid('0')], billedUsd: '0' });
});

test('a model that no catalog row names is counted as "other"', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  expect((await meetChat(stack, app, 'nobody-knows-it')).status).toBe(404);
  const { body } = await meet(stack, app, (client) => client.usage());
  expect(body).toMatchObject({ models: [{ model: 'other', calls: 1, errors: 1 }] });
});

describe('once the budget is used up', () => {
  test('it is refused like every other model', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: 0n });
    const refused = await meetChat(stack, app, 'sim-unpriced');
    expectError(refused, {
      status: 429,
      code: 'BUDGET_EXCEEDED',
      says: ['the app has spent $0', 'an unpriced model is refused once the budget is used up'],
      retryAfter: refused.headers.get('retry-after') ?? 'none',
    });
    await expectBooks(stack, app, { calls: [], billedUsd: '0' });
  });

  test('and until then it is not, though nothing else would fit', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: 1n });
    expect((await meetChat(stack, app, 'sim-echo', { maxTokens: 1 })).status).toBe(429);
    expect((await meetChat(stack, app, 'sim-unpriced')).status).toBe(200);
  });
});

test(
  'the log warns of it, once for each model',
  onStack(async (stack) => {
    for (let call = 0; call < 3; call++) await meetChat(stack, 'search', 'sim-unpriced');
    const warnings = stack.logLines.filter(({ level }) => level === 'warn');
    expect(warnings.filter(({ fields }) => fields.model === 'sim-unpriced')).toHaveLength(1);
  }),
);
