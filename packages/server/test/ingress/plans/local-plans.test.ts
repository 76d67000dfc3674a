import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLocalPlans } from '../../../src/ingress/limits/rate/local-plans.ts';
import type { PlanLimiter, PlanVerdict } from '../../../src/ingress/limits/rate/plan-limiter.ts';
import { type Clock, utcDayOf } from '../../../src/lib/clock.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { openDirectStore } from '../../../src/store/sqlite/command-store.ts';
import { createBrokenStore } from '../../support/broken-store.ts';
import { createTestClock } from '../../support/test-clock.ts';

const plan = { ratePerSecond: 2, burst: 3, requestsPerDay: 1_000 };

/** Rate limits on a store in memory, by default. */
async function openPlans(clock: Clock, store: Store = openDirectStore(':memory:')) {
  const limiter = await openLocalPlans({ store, clock, log: silentLog });
  return { stop: limiter.stop, take: (keyId: string, of = plan) => verdictOf(limiter, keyId, of) };
}

/** One process decides without a store. */
function verdictOf(limiter: PlanLimiter, keyId: string, of: typeof plan): PlanVerdict {
  const verdict = limiter.take(keyId, of);
  if (verdict instanceof Promise) throw new Error('a local plan asked its store');
  return verdict;
}

/** The verdicts on a key's first requests, at these times. */
async function verdictsAt(momentsMs: readonly number[], of = plan): Promise<readonly string[]> {
  const clock = heldClock(0);
  const limiter = await openPlans(clock);
  return momentsMs.map((atMs) => {
    clock.holdAt(atMs);
    return limiter.take('key', of).kind;
  });
}

/** A clock that the test sets, at noon of a day and later. */
function heldClock(startMs: number) {
  let elapsedMs = startMs;
  const clock = createTestClock();
  const noonMs = clock.now();
  return {
    ...clock,
    now: () => noonMs + elapsedMs,
    monotonic: () => elapsedMs,
    holdAt(atMs: number) {
      elapsedMs = atMs;
    },
  };
}

describe('a bucket', () => {
  test('is full at first, and holds at most its burst', async () => {
    expect(await verdictsAt([0, 0, 0, 0])).toEqual(['allowed', 'allowed', 'allowed', 'too-many']);
    const later = [60_000, 60_000, 60_000, 60_000];
    expect(await verdictsAt(later)).toEqual(['allowed', 'allowed', 'allowed', 'too-many']);
  });

  test('has its next request after its share of a second, and not before', async () => {
    expect(await verdictsAt([0, 0, 0, 499, 500])).toEqual([
      ...['allowed', 'allowed', 'allowed'],
      ...['too-many', 'allowed'],
    ]);
  });

  test('is not reduced by rejected requests', async () => {
    const hammering = Array.from({ length: 50 }, (_, index) => index * 10);
    const verdicts = await verdictsAt([...hammering, 500]);
    expect(verdicts.filter((kind) => kind === 'allowed')).toHaveLength(4);
    expect(verdicts.at(-1)).toBe('allowed');
  });
});

test('a day begins at 00:00 UTC, by the wall clock', async () => {
  const clock = createTestClock({ startMs: Date.UTC(2026, 10, 21, 23, 59, 59, 999) });
  const limiter = await openPlans(clock);
  const one = { ratePerSecond: 1, burst: 10, requestsPerDay: 1 };
  expect(limiter.take('a', one).kind).toBe('allowed');
  expect(limiter.take('a', one).kind).toBe('limit-exceeded');
  expect(limiter.take('b', one).kind).toBe('allowed');
  clock.set(Date.UTC(2026, 10, 22));
  expect(limiter.take('a', one).kind).toBe('allowed');
  expect(limiter.take('a', one).kind).toBe('limit-exceeded');
});

test('a changed rate limit applies to the next request', async () => {
  const clock = heldClock(0);
  const limiter = await openPlans(clock);
  const take = (burst: number) => limiter.take('a', { ...plan, burst }).kind;
  expect([take(2), take(2), take(2)]).toEqual(['allowed', 'allowed', 'too-many']);
  clock.holdAt(10_000);
  expect([take(1), take(1)]).toEqual(['allowed', 'too-many']);
});

/**
 * The rate limit without a running balance. A request fits if every window that ends with it
 * allowed at most the burst plus the refill of that time.
 */
function naiveVerdict(
  allowedAtMs: readonly number[],
  nowMs: number,
  of: typeof plan,
): 'allowed' | 'too-many' {
  for (const [index, fromMs] of allowedAtMs.entries()) {
    const inWindow = allowedAtMs.length - index + 1;
    if (inWindow > of.burst + ((nowMs - fromMs) / 1_000) * of.ratePerSecond) return 'too-many';
  }
  return 'allowed';
}

// Rates that divide a second, so neither side rounds where they could differ.
const plans = fc.record({
  ratePerSecond: fc.constantFrom(0.5, 1, 2, 4, 8),
  burst: fc.integer({ min: 1, max: 6 }),
  requestsPerDay: fc.integer({ min: 1, max: 30 }),
});
const waits = fc.array(fc.constantFrom(0, 0, 0, 125, 250, 500, 1_000, 5_000, 43_200_000), {
  maxLength: 80,
});

test('for any requests, the result equals that of the rule without a bucket', async () => {
  // Nothing is written to it before a stop, so all share it: opening a store is slow.
  const store = openDirectStore(':memory:');
  await fc.assert(
    fc.asyncProperty(plans, waits, async (of, gaps) => {
      const clock = heldClock(0);
      const limiter = await openPlans(clock, store);
      const allowedAtMs: number[] = [];
      const usedOn = new Map<string, number>();
      let nowMs = 0;
      for (const gap of gaps) {
        nowMs += gap;
        clock.holdAt(nowMs);
        const verdict = limiter.take('key', of);
        const rate = naiveVerdict(allowedAtMs, nowMs, of);
        if (rate === 'too-many') {
          expectWait(verdict, allowedAtMs, nowMs, of);
          continue;
        }
        allowedAtMs.push(nowMs);
        const day = utcDayOf(clock.now());
        const used = (usedOn.get(day) ?? 0) + 1;
        usedOn.set(day, used);
        expect(verdict.kind).toBe(used > of.requestsPerDay ? 'limit-exceeded' : 'allowed');
      }
    }),
    { numRuns: 300 },
  );
  await store.close();
});

/** The reported wait ends exactly when the next request fits, and not a millisecond sooner. */
function expectWait(
  verdict: PlanVerdict,
  allowedAtMs: readonly number[],
  nowMs: number,
  of: typeof plan,
) {
  expect(verdict.kind).toBe('too-many');
  if (verdict.kind !== 'too-many') return;
  const { waitMs } = verdict;
  expect(naiveVerdict(allowedAtMs, nowMs + waitMs, of)).toBe('allowed');
  expect(naiveVerdict(allowedAtMs, nowMs + waitMs - 1, of)).toBe('too-many');
}

describe('a process that restarts', () => {
  const daily = { ratePerSecond: 1, burst: 5, requestsPerDay: 4 };

  test('keeps everything if it was stopped', async () => {
    const store = openDirectStore(':memory:');
    const clock = createTestClock();
    const first = await openPlans(clock, store);
    const kinds = (of: { take: typeof first.take }) => of.take('a', daily).kind;
    expect([kinds(first), kinds(first), kinds(first)]).toEqual(Array(3).fill('allowed'));
    await first.stop();
    const second = await openPlans(clock, store);
    expect([kinds(second), kinds(second)]).toEqual(['allowed', 'limit-exceeded']);
    expect(second.take('a', daily)).toMatchObject({ kind: 'too-many', waitMs: 1_000 });
    await second.stop();
    clock.set(clock.now() + 86_400_000);
    const third = await openPlans(clock, store);
    expect(Array.from({ length: 5 }, () => kinds(third))).toEqual([
      ...Array(4).fill('allowed'),
      'limit-exceeded',
    ]);
  });

  test('has lost at most the last second if it was killed', async () => {
    const store = openDirectStore(':memory:');
    const clock = createTestClock();
    const first = await openPlans(clock, store);
    first.take('a', daily);
    first.take('a', daily);
    await clock.advance(1_000);
    first.take('a', daily);
    const second = await openPlans(clock, store);
    expect(Array.from({ length: 3 }, () => second.take('a', daily).kind)).toEqual([
      ...['allowed', 'allowed'],
      'limit-exceeded',
    ]);
  });

  test('has everything from before an outage of its store', async () => {
    const broken = createBrokenStore();
    const store = openDirectStore(':memory:');
    const clock = createTestClock();
    const first = await openPlans(clock, broken.wrap(store));
    broken.disappear();
    for (let request = 0; request < 4; request++) first.take('a', daily);
    await clock.advance(3_000);
    expect(broken.failures()).toBe(3);
    broken.mend();
    await clock.advance(1_000);
    const second = await openPlans(clock, store);
    expect(second.take('a', daily).kind).toBe('limit-exceeded');
  });
});
