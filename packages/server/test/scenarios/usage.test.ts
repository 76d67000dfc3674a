import { expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { expectHeaders } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

function usageOf(stack: Stack, app: string) {
  return meet(stack, app, (client) => client.usage());
}

const nothing = {
  ...{ calls: 0, errors: 0, inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0, costUsd: '0', estimatedUsd: '0', unpricedCalls: 0 },
};

test(
  'an app without calls has a whole budget and no history',
  onStack(async (stack) => {
    const answer = await usageOf(stack, 'search');
    expect(answer.status).toBe(200);
    expectHeaders(answer, { shouldRetry: true });
    expect(answer.body).toEqual({
      app: 'search',
      project: 'prod-acme-core-search',
      day: '2026-11-21',
      budget: {
        ...{ capUsd: '5', spentUsd: '0', heldUsd: '0', remainingUsd: '5' },
        resetsAt: '2026-11-22T00:00:00.000Z',
      },
      totals: nothing,
      models: [],
      history: [],
    });
  }),
);

test(
  'calls are counted by model, including errors; rejections are not',
  onStack(
    async (stack) => {
      await meetChat(stack, 'search', 'sim-echo');
      await meetChat(stack, 'search', 'sim-echo');
      await meetChat(stack, 'search', 'sim-truncated', { maxTokens: 10 });
      await meetChat(stack, 'search', 'sim-down');
      await meetChat(stack, 'search', 'sim-unpriced');
      await meetChat(stack, 'search', 'sim-no-usage');
      await meetChat(stack, 'search', 'sim-echo', { maxTokens: 0 });
      await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ada' });
      const most = maximumCostPicoUsd(chatOf('sim-no-usage'));
      const spent = 2n * 6_000_000n + 9_600_000n + most;
      const { body } = await usageOf(stack, 'search');
      expect(body).toEqual({
        app: 'search',
        project: 'prod-acme-core-search',
        day: '2026-11-21',
        budget: {
          ...{ capUsd: '5', spentUsd: usd(spent), heldUsd: '0' },
          remainingUsd: usd(5_000_000_000_000n - spent),
          resetsAt: '2026-11-22T00:00:00.000Z',
        },
        totals: {
          ...nothing,
          ...{ calls: 6, errors: 2, inputTokens: 96, outputTokens: 22, unpricedCalls: 1 },
          ...{ costUsd: usd(spent), estimatedUsd: usd(most) },
        },
        models: [
          { ...nothing, model: 'sim-down', calls: 1, errors: 1 },
          {
            ...{ ...nothing, model: 'sim-echo', calls: 2 },
            ...{ inputTokens: 48, outputTokens: 8, costUsd: '0.000012' },
          },
          {
            ...{ ...nothing, model: 'sim-no-usage', calls: 1 },
            ...{ costUsd: usd(most), estimatedUsd: usd(most) },
          },
          {
            ...{ ...nothing, model: 'sim-truncated', calls: 1, errors: 1 },
            ...{ inputTokens: 24, outputTokens: 10, costUsd: '0.0000096' },
          },
          {
            ...{ ...nothing, model: 'sim-unpriced', calls: 1, unpricedCalls: 1 },
            ...{ inputTokens: 24, outputTokens: 4 },
          },
        ],
        history: [{ day: '2026-11-21', calls: 6, costUsd: usd(spent) }],
      });
    },
    { yaml: defaultYaml.replace('dailyBudgetUsd: "5" }', 'dailyBudgetUsd: "5", unpriced: free }') },
  ),
);

test(
  'the history has the last 30 days with a call, the newest first',
  onStack(async (stack) => {
    for (let day = 1; day <= 62; day += 2) {
      stack.clock.set(Date.UTC(2027, 0, day, 8));
      await meetChat(stack, 'search', 'sim-echo');
    }
    stack.clock.set(Date.UTC(2027, 2, 20));
    const { body } = await usageOf(stack, 'search');
    const { history, totals }: { history: { day: string }[]; totals: object } = Object(body);
    expect(totals).toEqual(nothing);
    expect(history).toHaveLength(30);
    expect(history[0]).toEqual({ day: '2027-03-02', calls: 1, costUsd: '0.000006' });
    expect(history.at(-1)).toEqual({ day: '2027-01-03', calls: 1, costUsd: '0.000006' });
    expect(history.map(({ day }) => day)).toEqual(
      history
        .map(({ day }) => day)
        .toSorted()
        .toReversed(),
    );
  }),
);

test(
  'the remainder of a lowered budget is never below 0',
  onStack(async (stack) => {
    await meetChat(stack, 'search', 'sim-echo');
    await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: 1_000_000n });
    const { body } = await usageOf(stack, 'search');
    expect(body).toMatchObject({
      budget: { capUsd: '0.000001', spentUsd: '0.000006', heldUsd: '0', remainingUsd: '0' },
    });
  }),
);

test(
  'an app without a budget has none to show, and one with another project shows it',
  onStack(
    async (stack) => {
      const { body } = await usageOf(stack, 'free');
      expect(body).toMatchObject({ app: 'free', project: 'elsewhere', budget: null });
    },
    { yaml: `${defaultYaml}  - { name: free, project: elsewhere }\n` },
  ),
);

test(
  'a key sees the usage of its own app, and of no other',
  onStack(async (stack) => {
    await meetChat(stack, 'search', 'sim-echo');
    const { body, text } = await usageOf(stack, 'tutor');
    expect(body).toMatchObject({ app: 'tutor', totals: { calls: 0 }, models: [], history: [] });
    expect(text).not.toContain('search');
  }),
);
