import { expect, test } from 'vitest';
import { expectBooks, heldBy, paid } from '../support/books.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { modelCallMs: 40000 }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

test(
  'a request above 29 s gets a timeout by the gateway, and is settled when it ends',
  onStack(
    async (stack) => {
      const late = await meetChat(stack, 'search', 'sim-timeout');
      expectGateway(late, 'GATEWAY_TIMEOUT');
      expect(late.error?.code).toBe('GATEWAY_TIMEOUT');
      expect(stack.clock.monotonic()).toBe(29_000);
      expect(await heldBy(stack.store, 'search')).toBe(1);
      await stack.clock.advance(1_000);
      const call = paid('0.000006', 'ABORTED');
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
    },
    { yaml },
  ),
);

test(
  'a request that never ends is booked at its maximum cost, a minute later',
  onStack(
    async (stack) => {
      expectGateway(await meetChat(stack, 'search', 'sim-stuck'), 'GATEWAY_TIMEOUT');
      await stack.clock.advance(60_000);
      const costUsd = usd(maximumCostPicoUsd(chatOf('sim-stuck')));
      const cost = { costUsd, estimatedUsd: costUsd };
      const call = { code: 'ABORTED', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
      const { body } = await meet(stack, 'search', (client) => client.usage());
      expect(body).toMatchObject({ totals: { errors: 1, estimatedUsd: costUsd } });
    },
    { yaml },
  ),
);
