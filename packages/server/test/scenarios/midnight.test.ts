import { expect, test } from 'vitest';
import { expectBooks, paid } from '../support/books.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';

const startMs = Date.UTC(2026, 10, 30, 23, 59, 59);

test(
  'a call that begins before midnight belongs to its own day, though it ends on the next',
  onStack(
    async (stack) => {
      await stack.key('search');
      const before = meetChat(stack, 'search', 'sim-slow');
      await stack.clock.advance(1_500);
      const during = await stack.post('search', '/v1/chat', chatOf('sim-echo'));
      expect(during.status).toBe(200);
      expect((await before).status).toBe(200);
      const one = { calls: [paid('0.000006')], billedUsd: '0.000012' };
      await expectBooks(stack, 'search', { ...one, day: '2026-11-30' });
      await expectBooks(stack, 'search', { ...one, day: '2026-12-01' });
      const { body } = await meet(stack, 'search', (client) => client.usage());
      expect(body).toMatchObject({
        day: '2026-12-01',
        budget: { spentUsd: '0.000006', heldUsd: '0', resetsAt: '2026-12-02T00:00:00.000Z' },
        history: [
          { day: '2026-12-01', calls: 1, costUsd: '0.000006' },
          { day: '2026-11-30', calls: 1, costUsd: '0.000006' },
        ],
      });
    },
    { startMs },
  ),
);

test(
  'yesterday’s running calls reserve nothing of today’s budget',
  onStack(
    async (stack) => {
      await stack.key('search');
      const before = meetChat(stack, 'search', 'sim-slow');
      await stack.clock.advance(1_500);
      const usage = await stack.clock.run(
        stack.fetch('http://gateway.test/v1/usage', {
          headers: { 'x-api-key': await stack.key('search') },
        }),
      );
      expect(await usage.json()).toMatchObject({ budget: { heldUsd: '0' }, totals: { calls: 0 } });
      expect((await before).status).toBe(200);
    },
    { startMs },
  ),
);

test(
  'a retried attempt after midnight is reserved on the day of its call',
  onStack(
    async (stack) => {
      expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
      const most = maximumCostPicoUsd(chatOf('sim-echo'));
      const cost = { costUsd: usd(most + 6_000_000n), estimatedUsd: usd(most) };
      const attempts = ['SERVER', 'answered'];
      const call = { code: 'OK', basis: 'mixed', ...cost, attempts } as const;
      const billed = { billedUsd: '0.000006' };
      await expectBooks(stack, 'search', { calls: [call], ...billed, day: '2026-11-30' });
      await expectBooks(stack, 'search', { calls: [], ...billed, day: '2026-12-01' });
    },
    {
      startMs,
      script: () =>
        isFirst() ? { kind: 'raw', status: 504, headers: { 'retry-after': '5' } } : undefined,
    },
  ),
);

let calls = 0;
function isFirst(): boolean {
  calls += 1;
  return calls === 1;
}

test(
  'the wallet of the month in which a call began pays for it',
  onStack(
    async (stack) => {
      expect((await meetChat(stack, 'tutor', 'sim-slow', { userId: 'ada' })).status).toBe(200);
      const { body } = await meet(stack, 'tutor', (client) => client.credits('ada'));
      expect(body).toMatchObject({ period: '2026-12', spent: '0', held: '0', available: '100' });
      const rows = await stack.store.read({
        sql: 'select month, spent_grant, held_grant from wallet_month order by month',
        values: [],
        map: (found) => found.map((row) => ({ ...row })),
      });
      expect(rows).toEqual([{ month: '2026-11', spent_grant: 6_000_000n, held_grant: 0n }]);
    },
    { startMs },
  ),
);
