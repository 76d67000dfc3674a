import { expect, test } from 'vitest';
import { meet, meetChat } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans:
  user: { ratePerSecond: 1, burst: 2, requestsPerDay: 3 }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: generous, plans: { user: { requestsPerDay: 4 } } }
`;

test(
  'a key that has used its requests of the day is rejected until midnight UTC',
  onStack(
    async (stack) => {
      await stack.key('search');
      const usage = () => meet(stack, 'search', (client) => client.usage());
      stack.clock.set(Date.UTC(2026, 10, 21, 23, 59, 50));
      expect((await usage()).status).toBe(200);
      expect((await usage()).status).toBe(200);
      // A throttled request uses none of the day's.
      expectGateway(await usage(), 'TOO_MANY_REQUESTS', '1');
      expectGateway(await usage(), 'TOO_MANY_REQUESTS', '1');
      await stack.clock.advance(2_000);
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
      const refused = await usage();
      expectGateway(refused, 'LIMIT_EXCEEDED');
      expect(refused.error?.code).toBe('LIMIT_EXCEEDED');
      // A rejected one counts as a request for the rate.
      expectGateway(await usage(), 'TOO_MANY_REQUESTS', '1');
      await stack.clock.advance(7_999);
      expectGateway(await usage(), 'LIMIT_EXCEEDED');
      await stack.clock.advance(1);
      expect((await usage()).status).toBe(200);
    },
    { yaml },
  ),
);

test(
  'an app may have its own quota',
  onStack(
    async (stack) => {
      await stack.key('generous');
      for (let request = 0; request < 4; request++) {
        const answer = await meet(stack, 'generous', (client) => client.usage());
        expect(answer.status).toBe(200);
        await stack.clock.advance(1_000);
      }
      const usage = await meet(stack, 'generous', (client) => client.usage());
      expectGateway(usage, 'LIMIT_EXCEEDED');
    },
    { yaml },
  ),
);
