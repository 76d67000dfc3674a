import { chatOf, refused, type StepGroup } from './step.ts';

export const modelSteps: StepGroup = {
  title: 'Models and their limits',
  steps: [
    {
      id: 'model-allow-list',
      title: 'A model that is not in the list of the app',
      expected: { status: 403, code: 'MODEL_NOT_ALLOWED' },
      async run(stack) {
        return refused((await stack.client('picky')).chat(chatOf('sim-reasoning', 100)));
      },
    },
    {
      id: 'output-limit',
      title: 'An answer that does not fit maxTokens',
      expected: { status: 422, code: 'TRUNCATED' },
      async run(stack) {
        return refused((await stack.client('search')).chat(chatOf('sim-truncated', 20)));
      },
    },
    {
      id: 'platform-quota',
      title: "The platform's own quota, still used up after retries",
      expected: { status: 429, code: 'THROTTLED' },
      async run(stack) {
        return refused((await stack.client('search')).chat(chatOf('sim-throttled', 100)));
      },
    },
    {
      id: 'model-time',
      title: 'A model that takes longer than it may (here: 1 second)',
      expected: { status: 504, code: 'TIMEOUT' },
      async run(stack) {
        return refused((await stack.client('search')).chat(chatOf('sim-timeout', 100)));
      },
    },
  ],
};
