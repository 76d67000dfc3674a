import { answered, chatOf, refused, type StepGroup } from './step.ts';

export const budgetSteps: StepGroup = {
  title: 'Daily budgets',
  steps: [
    {
      id: 'budget',
      title: 'A call that could cost more than is left of the budget (here: $0.001)',
      expected: { status: 429, code: 'BUDGET_EXCEEDED' },
      async run(stack) {
        return refused((await stack.client('thrifty')).chat(chatOf('sim-echo', 16_000)));
      },
    },
    {
      id: 'budget-that-fits',
      title: 'The same call with fewer tokens fits: no false refusal',
      expected: answered,
      async run(stack) {
        const { cost } = await (await stack.client('thrifty')).chat(chatOf('sim-echo', 100));
        return `it cost $${cost.usd}, and the rest of what was held is free again`;
      },
    },
    {
      id: 'unpriced-model',
      title: 'A model without a price, for an app that must know what it pays',
      expected: { status: 400, code: 'MODEL_NOT_PRICED' },
      async run(stack) {
        return refused((await stack.client('exact')).chat(chatOf('sim-unpriced', 100)));
      },
    },
  ],
};
