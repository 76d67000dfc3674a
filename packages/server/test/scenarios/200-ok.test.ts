import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

test('a chat is answered, billed to its own project and booked to the pico-dollar', async () => {
  const client = await stack.client('search');
  const answer = await stack.clock.run(
    client.chat({
      model: 'sim-echo',
      maxTokens: 100,
      messages: [{ role: 'user', content: 'Hello, gateway!' }],
    }),
  );
  expect(answer).toMatchObject({
    text: 'Hello, gateway!',
    finishReason: 'stop',
    model: 'sim-echo',
    usage: { inputTokens: 24, outputTokens: 4 },
    cost: { usd: '0.000006', estimated: false },
  });
  const usage = await stack.clock.run(client.usage());
  expect(usage.totals.costUsd).toBe('0.000006');
  expect(usage.budget).toMatchObject({ capUsd: '5', spentUsd: '0.000006', heldUsd: '0' });
  expect(stack.simulator.bill().total.costPicoUsd).toBe(6_000_000n);
  expect(await stack.audit()).toMatchObject({ clean: true });
});
