import { expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { meet, meetChat, send } from '../support/exchange.ts';
import { expectGateway } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';

const yaml = `
company: acme
adminEmail: admin@acme.example
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans:
  user: { ratePerSecond: 0.5, burst: 2 }
  admin: { ratePerSecond: 10, burst: 4 }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: quick, plans: { user: { ratePerSecond: 100, burst: 3 } } }
`;

test(
  'a key that is over its rate gets a retry-after, and is served then',
  onStack(
    async (stack) => {
      const usage = () => meet(stack, 'search', (client) => client.usage());
      await stack.key('search');
      expect((await usage()).status).toBe(200);
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
      expectGateway(await meetChat(stack, 'search', 'sim-echo'), 'TOO_MANY_REQUESTS', '2');
      await stack.clock.advance(500);
      const refused = await usage();
      expectGateway(refused, 'TOO_MANY_REQUESTS', '2');
      expect(refused.error?.code).toBe('TOO_MANY_REQUESTS');
      await stack.clock.advance(500);
      expectGateway(await usage(), 'TOO_MANY_REQUESTS', '1');
      await stack.clock.advance(1_000);
      expect((await usage()).status).toBe(200);
      expectGateway(await usage(), 'TOO_MANY_REQUESTS', '2');
      await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    },
    { yaml },
  ),
);

async function burstOf(ask: () => Promise<{ readonly status: number }>): Promise<number> {
  let answered = 0;
  while ((await ask()).status !== 429) answered += 1;
  return answered;
}

test(
  'each key has its own bucket: that of its role, or of its app',
  onStack(
    async (stack) => {
      const asking = (key: string) => () =>
        send(stack, '/v1/usage', { headers: { 'x-api-key': key } });
      expect(await burstOf(asking(await stack.key('search', 'user')))).toBe(2);
      expect(await burstOf(asking(await stack.key('search', 'admin')))).toBe(4);
      expect(await burstOf(asking(await stack.key('quick', 'user')))).toBe(3);
      expect(await burstOf(asking(await stack.key('quick', 'admin')))).toBe(4);
      const odd = await stack.issueNamedKey('off the convention', 'search');
      expect(await burstOf(asking(odd.key))).toBe(2);
      const foreign = await stack.issueNamedKey('llm::admin::search::x@acme.example', 'quick');
      expect(await burstOf(asking(foreign.key))).toBe(2);
      const other = await stack.issueNamedKey('llm::user::search::b@acme.example', 'search');
      expect(await burstOf(asking(other.key))).toBe(2);
    },
    { yaml },
  ),
);

test(
  'a request that is rejected for its key or its route is counted only with a valid key',
  onStack(
    async (stack) => {
      const key = await stack.key('search');
      const asking = (path: string, apiKey: string) => () =>
        send(stack, path, { headers: { 'x-api-key': apiKey } });
      for (let request = 0; request < 10; request++) {
        expectGateway(await asking('/v1/usage', 'unknown-to-everybody')(), 'FORBIDDEN');
      }
      expect(await burstOf(asking('/nowhere', key))).toBe(2);
    },
    { yaml },
  ),
);
