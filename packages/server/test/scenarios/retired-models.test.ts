import { expect, test } from 'vitest';
import { meet, meetChat } from '../support/exchange.ts';
import { onStack } from '../support/on-stack.ts';
import type { Stack } from '../support/stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
ingress: { openai: true, anthropic: true }
models:
  - id: ending
    platform: sandbox
    upstreamModel: sim-echo
    retires: 2026-11-22
    inputUsdPerMillion: "1"
    outputUsdPerMillion: "1"
  - { id: by-name, route: [ending] }
  - { id: either, route: [ending, sim-echo] }
apps: [{ name: search, models: [ending, by-name, either, sim-echo] }]
`;

async function idsOf(stack: Stack): Promise<readonly string[]> {
  const client = await stack.client('search');
  const { models } = await stack.clock.run(client.models());
  return models.map(({ id }) => id);
}

test(
  'a model is listed until the day on which it retires, and can be called after it',
  onStack(
    async (stack) => {
      expect(await idsOf(stack)).toEqual(['ending', 'sim-echo', 'by-name', 'either']);
      await stack.clock.advance(2_000);
      expect(await idsOf(stack)).toEqual(['sim-echo', 'either']);
      const answer = await meetChat(stack, 'search', 'ending');
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ cost: { usd: expect.any(String), estimated: false } });
      const { body } = await meet(stack, 'search', (client) => client.usage());
      expect(body).toMatchObject({ models: [{ model: 'ending', calls: 1, unpricedCalls: 0 }] });
    },
    { yaml, startMs: Date.UTC(2026, 10, 21, 23, 59, 59) },
  ),
);
