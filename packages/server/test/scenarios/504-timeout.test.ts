import type { Script } from '@model-gateway/simulator';
import { expect, test } from 'vitest';
import { expectBooks, heldBy, paid, readAttempts, readCalls } from '../support/books.ts';
import { chatOf, meet, meetChat, sendBody } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { platformError } from '../support/platform-outcomes.ts';

const timeout = {
  status: 504,
  code: 'TIMEOUT',
  says: ['took longer than 26 s', 'lower maxTokens', 'split the task'],
} as const;

test(
  'a call of 30 s times out after 26 s, and is settled at its cost after 30 s',
  onStack(async (stack) => {
    const model = 'sim-timeout';
    expectError(await meetChat(stack, 'search', model), { ...timeout, model });
    expect(stack.clock.monotonic()).toBe(26_000);
    expect(await heldBy(stack.store, 'search')).toBe(1);
    const { body } = await meet(stack, 'search', (client) => client.usage());
    const heldUsd = usd(maximumCostPicoUsd(chatOf(model)));
    expect(body).toMatchObject({ budget: { heldUsd, spentUsd: '0' }, totals: { calls: 0 } });
    await stack.clock.advance(4_000);
    const call = paid('0.000006', 'TIMEOUT');
    await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
  }),
);

test(
  'a call without a response is waited for a minute more, and booked at its maximum cost',
  onStack(async (stack) => {
    const model = 'sim-stuck';
    expectError(await meetChat(stack, 'search', model), { ...timeout, model });
    await stack.clock.advance(59_999);
    expect(await heldBy(stack.store, 'search')).toBe(1);
    await stack.clock.advance(1);
    const costUsd = usd(maximumCostPicoUsd(chatOf(model)));
    const cost = { costUsd, estimatedUsd: costUsd };
    const call = { code: 'TIMEOUT', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
    await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
  }),
);

test(
  'its money is reserved until then and half a minute more, should the process die',
  onStack(async (stack) => {
    expect((await meetChat(stack, 'search', 'sim-stuck')).status).toBe(504);
    const times = await stack.store.read({
      sql: 'select started_at, expires_at from hold',
      values: [],
      map: (rows) => rows.map((row) => Number(row.expires_at) - Number(row.started_at)),
    });
    expect(times).toEqual([26_000 + 60_000 + 30_000]);
  }),
);

test(
  'a late failure that was not billed is booked as free',
  onStack(
    async (stack) => {
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(504);
      await stack.clock.advance(4_000);
      const call = { code: 'TIMEOUT', basis: 'free', costUsd: '0', attempts: ['SERVER'] } as const;
      await expectBooks(stack, 'search', { calls: [call], billedUsd: '0' });
    },
    { script: () => ({ ...platformError(503), delayMs: 30_000 }) },
  ),
);

test(
  'the request id of an earlier attempt is not that of the late one',
  onStack(
    async (stack) => {
      const model = 'sim-echo';
      expectError(await meetChat(stack, 'search', model), { ...timeout, model });
      await stack.clock.advance(60_000);
      const [call] = await readCalls(stack.store, 'search', '2026-11-21');
      const attempts = await readAttempts(stack.store, call);
      expect(attempts.map(({ requestId }) => requestId !== null)).toEqual([true, false]);
    },
    { script: failingFirst() },
  ),
);

test(
  'a response after 25.999 s is in time',
  onStack(
    async (stack) => {
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
    },
    { script: () => ({ kind: 'answer', text: 'just so', delayMs: 25_999 }) },
  ),
);

test(
  'the user pays for a late response that can be collected, and for no other',
  onStack(async (stack) => {
    const spent = async () => {
      await stack.clock.advance(4_000);
      const { body } = await meet(stack, 'tutor', (client) => client.credits('ada'));
      return body;
    };
    const late = { userId: 'ada' };
    expect((await sendBody(stack, 'tutor', chatOf('sim-timeout', late))).status).toBe(504);
    expect(await spent()).toMatchObject({ spent: '0', held: '0' });
    expect((await meetChat(stack, 'tutor', 'sim-timeout', late)).status).toBe(504);
    expect(await spent()).toMatchObject({ spent: '0.0006', held: '0' });
    const call = paid('0.000006', 'TIMEOUT');
    await expectBooks(stack, 'tutor', { calls: [call, call], billedUsd: '0.000012' });
  }),
);

test(
  'the limits are those of the configuration',
  onStack(
    async (stack) => {
      const model = 'sim-stuck';
      const says = ['took longer than 1.5 s'];
      expectError(await meetChat(stack, 'search', model), { ...timeout, says, model });
      expect(stack.clock.monotonic()).toBe(1_500);
      await stack.clock.advance(2_000);
      expect(await heldBy(stack.store, 'search')).toBe(0);
    },
    {
      yaml: `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { modelCallMs: 1500, drainMs: 2000 }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
    },
  ),
);

/** The first attempt fails at once, and the next one never gets a response. */
function failingFirst(): Script {
  let attempts = 0;
  return () => {
    attempts += 1;
    return attempts === 1 ? platformError(503) : { kind: 'silence' };
  };
}
