import { answered, chatOf, type StepGroup } from './step.ts';

export const callSteps: StepGroup = {
  title: 'An app calls',
  steps: [
    {
      id: 'chat',
      title: 'A chat is answered and paid from the budget of its app',
      expected: answered,
      async run(stack) {
        const client = await stack.client('search');
        const { text, usage, cost } = await client.chat(chatOf('sim-echo', 100));
        return `${JSON.stringify(text)} for ${usage.inputTokens} tokens in and ${usage.outputTokens} out: $${cost.usd}`;
      },
    },
    {
      id: 'retried-chat',
      title: 'A failed attempt is retried and paid once',
      expected: answered,
      async run(stack) {
        const client = await stack.client('search');
        const { cost } = await client.chat(chatOf('sim-flaky', 100));
        return `the second attempt was answered: $${cost.usd}`;
      },
    },
    {
      id: 'models',
      title: 'The models that the app is allowed to use, with their prices',
      expected: answered,
      async run(stack) {
        const { models } = await (await stack.client('search')).models();
        const [first] = models.filter(({ id }) => id === 'sim-echo');
        return `${models.length} models; ${first?.id} costs $${first?.price?.inputUsdPerMillion} in and $${first?.price?.outputUsdPerMillion} out per million tokens`;
      },
    },
    {
      id: 'usage',
      title: 'The spending of the app today',
      expected: answered,
      async run(stack) {
        const { totals, budget, project } = await (await stack.client('search')).usage();
        return `${totals.calls} calls for $${totals.costUsd} on the project ${project}; $${budget?.remainingUsd} of $${budget?.capUsd} are left until ${budget?.resetsAt}`;
      },
    },
  ],
};
