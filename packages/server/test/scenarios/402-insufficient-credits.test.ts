import { expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { defaultYaml, type Stack } from '../support/stack.ts';

const shared = sharedStack();

/** A user of `poor` has 0.1 credits of a cent each, so one thousandth of a dollar. */
const yaml = `${defaultYaml}  - { name: poor, dailyBudgetUsd: "5", credits: { monthlyGrant: "0.1", usdPerCredit: "0.01" } }\n`;

const ada = { userId: 'ada', maxTokens: 9_999 } as const;
const needed = maximumCostPicoUsd(chatOf('sim-echo', { maxTokens: 9_999, userId: 'ada' }));

/** Credits of a cent, as the wire format has them. */
function credits(picoUsd: bigint): string {
  return usd(picoUsd * 100n);
}

test(
  'a wallet that cannot cover the maximum cost rejects a call, and is charged nothing',
  onStack(
    async (stack) => {
      expectError(await meetChat(stack, 'poor', 'sim-echo', ada), {
        status: 402,
        code: 'INSUFFICIENT_CREDITS',
        says: [
          'The wallet has 0.1 credits left, and 0 are reserved for running calls',
          `This call could cost ${credits(needed)} credits`,
          'Nothing was charged; top up the wallet, or wait for the monthly reset',
        ],
      });
      const { body } = await meet(stack, 'poor', (client) => client.credits('ada'));
      expect(body).toMatchObject({ granted: '0.1', spent: '0', held: '0', available: '0.1' });
      await expectBooks(stack, 'poor', { calls: [], billedUsd: '0' });
    },
    { yaml },
  ),
);

test(
  'the maxTokens in the error would fit, and one more would not',
  onStack(
    async (stack) => {
      const ask = (maxTokens: number) => meetChat(stack, 'poor', 'sim-echo', { ...ada, maxTokens });
      const fits = Number(/maxTokens (\d+) would fit/.exec((await ask(9_999)).text)?.[1]);
      expect(fits).toBeGreaterThan(999);
      expect((await ask(fits + 1)).status).toBe(402);
      expect((await ask(fits)).status).toBe(200);
      await expectBooks(stack, 'poor', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    },
    { yaml },
  ),
);

test(
  'the money of running calls is not available to others, and returns',
  onStack(
    async (stack) => {
      await stack.key('poor');
      const running = meetChat(stack, 'poor', 'sim-slow', { ...ada, maxTokens: 1_000 });
      const held = maximumCostPicoUsd(chatOf('sim-slow', { maxTokens: 1_000, userId: 'ada' }));
      const refused = await meetAtOnce(stack);
      expect(refused.text).toContain(`and ${credits(held)} are reserved for running calls`);
      expect((await running).status).toBe(200);
      expect((await meetChat(stack, 'poor', 'sim-echo', { ...ada, maxTokens: 1_000 })).status).toBe(
        200,
      );
    },
    { yaml },
  ),
);

/** A call that is rejected while another runs: no time may pass for it. */
async function meetAtOnce(stack: Stack) {
  await stack.clock.settle();
  const body = chatOf('sim-echo', { ...ada, maxTokens: 1_000 });
  const refused = stack.post('poor', '/v1/chat', body);
  return { text: await (await refused).text() };
}

test(
  'wallets are refilled at the start of the UTC month, and each user has one',
  onStack(
    async (stack) => {
      const costly = { ...ada, maxTokens: 1_200 };
      for (let call = 0; call < 20; call++) await meetChat(stack, 'poor', 'sim-truncated', costly);
      expect((await meetChat(stack, 'poor', 'sim-truncated', costly)).status).toBe(402);
      const bob = { ...costly, userId: 'bob' };
      expect((await meetChat(stack, 'poor', 'sim-truncated', bob)).status).toBe(422);
      stack.clock.set(Date.UTC(2026, 11, 1));
      expect((await meetChat(stack, 'poor', 'sim-truncated', costly)).status).toBe(422);
    },
    { yaml },
  ),
);

test('a wallet with exactly the maximum cost admits a call', async () => {
  const { stack, newApp } = shared();
  const most = maximumCostPicoUsd(chatOf('sim-echo', { userId: 'ada' }));
  const statusWith = async (monthlyGrantPicoUsd: bigint) => {
    const app = await newApp({ credits: { monthlyGrantPicoUsd, picoUsdPerCredit: 1n } });
    return (await meetChat(stack, app, 'sim-echo', { userId: 'ada' })).status;
  };
  expect(await statusWith(most)).toBe(200);
  expect(await statusWith(most - 1n)).toBe(402);
});

test(
  'added money is spent after the grant',
  onStack(
    async (stack) => {
      const { clock, service } = stack;
      const amount = 6_000_000_000n;
      await service.ledger.submit({
        ...{ kind: 'top-up', app: 'poor', userId: 'ada', reference: 'a', now: clock.now() },
        amount,
      });
      expect((await meetChat(stack, 'poor', 'sim-echo', ada)).status).toBe(200);
      const { body } = await meet(stack, 'poor', (client) => client.credits('ada'));
      expect(body).toMatchObject({ toppedUp: '0.6', spent: '0.0006', available: '0.6994' });
      await expectBooks(stack, 'poor', { calls: [paid('0.000006')], billedUsd: '0.000006' });
    },
    { yaml },
  ),
);
