import { describe, expect, test } from 'vitest';
import { attemptDocuments } from '../../src/admin/attempt-document.ts';
import { expectBooks, readCalls } from '../support/books.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { mostPicoUsd, usd } from '../support/most.ts';
import { onStack } from '../support/on-stack.ts';
import { inOrder, platformError } from '../support/platform-outcomes.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const shared = sharedStack();

describe('an attempt that may have been billed', () => {
  test.each([
    { model: 'sim-gateway-timeout', billedUsd: '0', status: 504 },
    { model: 'sim-reset', billedUsd: '0.000006', status: null },
    { model: 'sim-reset-mid-body', billedUsd: '0.000006', status: 200 },
  ])('is not repeated when the budget has no room for both: $model', async (row) => {
    const { stack, newApp } = shared();
    const most = mostPicoUsd(chatOf(row.model));
    const app = await newApp({ dailyBudgetPicoUsd: most * 2n - 1n });
    expect((await meetChat(stack, app, row.model)).status).toBe(502);
    const cost = { costUsd: usd(most), estimatedUsd: usd(most) };
    const call = { code: 'SERVER', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
    await expectBooks(stack, app, { calls: [call], billedUsd: row.billedUsd });
    const [record] = await readCalls(stack.store, app, '2026-11-21');
    const [attempt] = attemptDocuments(record?.attempts ?? '');
    expect(attempt).toMatchObject({ status: row.status, costUsd: usd(most), estimated: true });
  });

  test('is repeated as often as the budget has room for one more', async () => {
    const { stack, newApp } = shared();
    const most = mostPicoUsd(chatOf('sim-reset'));
    const app = await newApp({ dailyBudgetPicoUsd: most * 2n });
    expect((await meetChat(stack, app, 'sim-reset')).status).toBe(502);
    const cost = { costUsd: usd(most * 2n), estimatedUsd: usd(most * 2n) };
    const attempts = ['SERVER', 'SERVER'];
    const call = { code: 'SERVER', basis: 'estimated', ...cost, attempts } as const;
    await expectBooks(stack, app, { calls: [call], billedUsd: '0.000012' });
  });

  test(
    'is booked with the most it can have cost, beside the exact cost of the answered one',
    onStack(
      async (stack) => {
        const answer = await meetChat(stack, 'search', 'sim-echo');
        expect(answer.body).toMatchObject({ cost: { usd: '0.000006', estimated: false } });
        const most = mostPicoUsd(chatOf('sim-echo'));
        const cost = { costUsd: usd(most + 6_000_000n), estimatedUsd: usd(most) };
        const attempts = ['SERVER', 'answered'];
        const call = { code: 'OK', basis: 'mixed', ...cost, attempts } as const;
        await expectBooks(stack, 'search', { calls: [call], billedUsd: '0.000006' });
      },
      { script: inOrder(platformError(502)) },
    ),
  );

  test('needs no more money when the one after it was not billed', async () => {
    const script = inOrder(platformError(504), platformError(503));
    const stack = await openStack({ script });
    const answer = await meetChat(stack, 'search', 'sim-echo');
    expect(answer.status).toBe(200);
    const [record] = await readCalls(stack.store, 'search', '2026-11-21');
    const most = mostPicoUsd(chatOf('sim-echo'));
    expect(record).toMatchObject({ held: most * 2n, cost: most + 6_000_000n, basis: 'mixed' });
    await stack.close();
  });
});

test(
  'the wallet pays for the answered attempt alone',
  onStack(
    async (stack) => {
      await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ada' });
      const [record] = await readCalls(stack.store, 'tutor', '2026-11-21');
      expect(record).toMatchObject({ walletGrant: 6_000_000n, walletTopup: 0n, basis: 'mixed' });
    },
    { script: inOrder(platformError(502)) },
  ),
);

test(
  'waits grow, and each is at most what the configuration says',
  onStack(async (stack) => {
    for (let call = 0; call < 20; call++) await meetChat(stack, 'search', 'sim-down');
    const records = await readCalls(stack.store, 'search', '2026-11-21');
    const waits = records.map((record) => {
      const startedAt = attemptDocuments(record.attempts).map((row) => Date.parse(row.startedAt));
      return startedAt.slice(1).map((atMs, index) => atMs - (startedAt[index] ?? 0));
    });
    const longest = (attempt: number) => Math.max(...waits.map((of) => of[attempt] ?? 0));
    expect(longest(0)).toBeLessThanOrEqual(250);
    expect(longest(1)).toBeLessThanOrEqual(500);
    // Full jitter: of twenty waits, one is in the upper half but for one run in a million.
    expect(longest(0)).toBeGreaterThan(125);
    expect(longest(1)).toBeGreaterThan(250);
    const shortest = Math.min(...waits.map((of) => of[1] ?? 0));
    expect(shortest).toBeLessThan(250);
  }),
);
