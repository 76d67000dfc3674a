import { describe, expect, test } from 'vitest';
import { createLeasedPlans } from '../../../src/ingress/limits/rate/leased-plans.ts';
import { openLocalPlans } from '../../../src/ingress/limits/rate/local-plans.ts';
import type { PlanLimiter } from '../../../src/ingress/limits/rate/plan-limiter.ts';
import { sleep } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createPlanTable } from '../../support/plan-table.ts';
import { openStack } from '../../support/stack.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const plan = { ratePerSecond: 10, burst: 20, requestsPerDay: 1_000 };

interface Opened {
  readonly clock: TestClock;
  readonly limiter: PlanLimiter;
  close(): Promise<void>;
}

async function openLocal(): Promise<Opened> {
  const stack = await openStack();
  const { clock, store } = stack;
  const limiter = await clock.run(openLocalPlans({ store, clock, log: silentLog }));
  return {
    ...{ clock, limiter },
    async close() {
      await clock.run(limiter.stop());
      await stack.close();
    },
  };
}

function openLeased(): Promise<Opened> {
  const clock = createTestClock();
  const table = createPlanTable();
  const limiter = createLeasedPlans({
    ...{ clock, log: silentLog, time: () => undefined },
    async acquire(requests) {
      await sleep(clock, 1);
      return table.acquire(requests, clock.now());
    },
  });
  return Promise.resolve({ clock, limiter, close: () => clock.run(limiter.stop()) });
}

/** The number of allowed requests out of this many simultaneous ones. */
async function allowed({ clock, limiter }: Opened, count: number): Promise<number> {
  const verdicts = Array.from({ length: count }, () => limiter.take('key', plan));
  const kinds = (await clock.run(Promise.all(verdicts))).map(({ kind }) => kind);
  return kinds.filter((kind) => kind === 'allowed').length;
}

describe.each([
  ['in the process', openLocal],
  ['leased from the store', openLeased],
] as const)('a charge to a rate limit %s', (_, open) => {
  test('reduces the burst, and not the day', async () => {
    const opened = await open();
    const { clock, limiter } = opened;
    expect(await allowed(opened, 5)).toBe(5);
    limiter.charge('key', plan, 12);
    await clock.advance(10);
    expect(await allowed(opened, 10)).toBe(3);
    limiter.charge('other', plan, 20);
    expect(await allowed(opened, 1)).toBe(0);
    let used = 8;
    for (let second = 0; second < 150; second++) {
      await clock.advance(1_000);
      used += await allowed(opened, 10);
    }
    // The charge used nothing of the daily quota: all its requests were allowed.
    expect(used).toBe(plan.requestsPerDay);
    await opened.close();
  });

  test('is paid by the refill if the burst does not suffice', async () => {
    const opened = await open();
    expect(await allowed(opened, 20)).toBe(20);
    opened.limiter.charge('key', plan, 15);
    await opened.clock.advance(1_400);
    expect(await allowed(opened, 10)).toBe(0);
    await opened.clock.advance(1_000);
    const later = await allowed(opened, 20);
    // Nine, without the requests that were leased ahead and not used in time.
    expect(later).toBeGreaterThanOrEqual(4);
    expect(later).toBeLessThanOrEqual(9);
    await opened.close();
  });

  test('is dropped once the bucket would be full again', async () => {
    const opened = await open();
    opened.limiter.charge('key', plan, 60);
    await opened.clock.advance(4_000);
    expect(await allowed(opened, 5)).toBe(0);
    await opened.clock.advance(60_000);
    expect(await allowed(opened, 30)).toBe(20);
    await opened.close();
  });

  test('is limited: no key is excluded for long', async () => {
    const opened = await open();
    opened.limiter.charge('key', plan, 1_000_000);
    await opened.clock.advance(13_000);
    expect(await allowed(opened, 30)).toBeGreaterThan(0);
    await opened.close();
  });
});
