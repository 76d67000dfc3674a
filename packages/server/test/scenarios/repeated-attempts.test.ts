import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { expectBooks, readAttempts, readCalls } from '../support/books.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
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
  ])('is not repeated if the budget does not cover both: $model', async (row) => {
    const { stack, newApp } = shared();
    const most = maximumCostPicoUsd(chatOf(row.model));
    const app = await newApp({ dailyBudgetPicoUsd: most * 2n - 1n });
    expect((await meetChat(stack, app, row.model)).status).toBe(502);
    const cost = { costUsd: usd(most), estimatedUsd: usd(most) };
    const call = { code: 'SERVER', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
    await expectBooks(stack, app, { calls: [call], billedUsd: row.billedUsd });
    const [record] = await readCalls(stack.store, app, '2026-11-21');
    const [attempt] = await readAttempts(stack.store, record);
    expect(attempt).toMatchObject({ status: row.status, costUsd: usd(most), estimated: true });
  });

  test('is repeated as long as the budget covers one more', async () => {
    const { stack, newApp } = shared();
    const most = maximumCostPicoUsd(chatOf('sim-reset'));
    const app = await newApp({ dailyBudgetPicoUsd: most * 2n });
    expect((await meetChat(stack, app, 'sim-reset')).status).toBe(502);
    const cost = { costUsd: usd(most * 2n), estimatedUsd: usd(most * 2n) };
    const attempts = ['SERVER', 'SERVER'];
    const call = { code: 'SERVER', basis: 'estimated', ...cost, attempts } as const;
    await expectBooks(stack, app, { calls: [call], billedUsd: '0.000012' });
  });

  test(
    'is booked at its maximum cost, next to the exact cost of the answered one',
    onStack(
      async (stack) => {
        const answer = await meetChat(stack, 'search', 'sim-echo');
        expect(answer.body).toMatchObject({ cost: { usd: '0.000006', estimated: false } });
        const most = maximumCostPicoUsd(chatOf('sim-echo'));
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
    const most = maximumCostPicoUsd(chatOf('sim-echo'));
    expect(record).toMatchObject({ held: most * 2n, cost: most + 6_000_000n, basis: 'mixed' });
    await stack.close();
  });
});

test(
  'the wallet pays only for the answered attempt',
  onStack(
    async (stack) => {
      await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ada' });
      const [record] = await readCalls(stack.store, 'tutor', '2026-11-21');
      expect(record).toMatchObject({ walletGrant: 6_000_000n, walletTopup: 0n, basis: 'mixed' });
    },
    { script: inOrder(platformError(502)) },
  ),
);

test.each([0, 0.25, 0.5, 0.999])(
  'waits grow, and each is a random part of the configured one: %s',
  async (share) => {
    const ids = { ...createIds(systemClock), random: () => share };
    const stack = await openStack({ ids });
    await meetChat(stack, 'search', 'sim-down');
    const [record] = await readCalls(stack.store, 'search', '2026-11-21');
    const rows = await readAttempts(stack.store, record);
    const startedAt = rows.map((row) => Date.parse(row.startedAt));
    const waits = startedAt.slice(1).map((atMs, index) => atMs - (startedAt[index] ?? 0));
    expect(waits).toHaveLength(2);
    // The start of an attempt is reported in whole milliseconds.
    expect(Math.abs((waits[0] ?? 0) - share * 250)).toBeLessThanOrEqual(1);
    expect(Math.abs((waits[1] ?? 0) - share * 500)).toBeLessThanOrEqual(1);
    await stack.close();
  },
);

test(
  'waits differ from call to call',
  onStack(async (stack) => {
    for (let call = 0; call < 6; call++) await meetChat(stack, 'search', 'sim-down');
    const records = await readCalls(stack.store, 'search', '2026-11-21');
    const seconds: number[] = [];
    for (const record of records) {
      const [, second, third] = await readAttempts(stack.store, record);
      seconds.push(Date.parse(third?.startedAt ?? '') - Date.parse(second?.startedAt ?? ''));
    }
    // Six equal waits of half a second, to the millisecond, are not random.
    expect(new Set(seconds).size).toBeGreaterThan(1);
  }),
);
