import { chatOf, refused, type StepGroup } from './step.ts';

export const requestLimitSteps: StepGroup = {
  title: 'Limits of requests',
  steps: [
    {
      id: 'rate',
      title: 'More requests at once than the plan of the key (here: 1)',
      expected: { status: 429, code: 'TOO_MANY_REQUESTS' },
      async run(stack) {
        const client = await stack.client('hasty');
        await client.models();
        return refused(client.models());
      },
    },
    {
      id: 'daily-quota',
      title: 'More requests in a day than the plan of the key (here: 1)',
      expected: { status: 429, code: 'LIMIT_EXCEEDED' },
      async run(stack) {
        const client = await stack.client('modest');
        await client.models();
        return refused(client.models());
      },
    },
    {
      id: 'body-size',
      title: 'A body above the limit (here: 4,096 bytes)',
      expected: { status: 413, code: 'REQUEST_TOO_LONG' },
      async run(stack) {
        const content = 'x'.repeat(5_000);
        const request = {
          ...chatOf('sim-echo', 100),
          messages: [{ role: 'user', content } as const],
        };
        return refused((await stack.client('search')).chat(request));
      },
    },
  ],
};
