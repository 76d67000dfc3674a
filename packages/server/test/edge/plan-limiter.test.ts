import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPlanLimiter, type PlanVerdict } from '../../src/edge/plan-limiter.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { createTestClock } from '../support/test-clock.ts';

const plan = { ratePerSecond: 2, burst: 3, requestsPerDay: 1_000 };

/** What a key's first requests come to, at these moments. */
function verdictsAt(momentsMs: readonly number[], of = plan): readonly string[] {
  const clock = heldClock(0);
  const limiter = createPlanLimiter({ clock });
  return momentsMs.map((atMs) => {
    clock.holdAt(atMs);
    return limiter.take('key', of).kind;
  });
}

/** A clock that stands where it is put, at noon of a day and later. */
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
  test('is full at first, and holds no more than its burst', () => {
    expect(verdictsAt([0, 0, 0, 0])).toEqual(['allowed', 'allowed', 'allowed', 'too-many']);
    const later = [60_000, 60_000, 60_000, 60_000];
    expect(verdictsAt(later)).toEqual(['allowed', 'allowed', 'allowed', 'too-many']);
  });

  test('has its next request after its share of a second, and not before', () => {
    expect(verdictsAt([0, 0, 0, 499, 500])).toEqual([
      ...['allowed', 'allowed', 'allowed'],
      ...['too-many', 'allowed'],
    ]);
  });

  test('is not emptied further by those that are refused', () => {
    const hammering = Array.from({ length: 50 }, (_, index) => index * 10);
    const verdicts = verdictsAt([...hammering, 500]);
    expect(verdicts.filter((kind) => kind === 'allowed')).toHaveLength(4);
    expect(verdicts.at(-1)).toBe('allowed');
  });
});

test('a day begins at 00:00 UTC, by the wall clock', () => {
  const clock = createTestClock({ startMs: Date.UTC(2026, 10, 21, 23, 59, 59, 999) });
  const limiter = createPlanLimiter({ clock });
  const one = { ratePerSecond: 1, burst: 10, requestsPerDay: 1 };
  expect(limiter.take('a', one).kind).toBe('allowed');
  expect(limiter.take('a', one).kind).toBe('limit-exceeded');
  expect(limiter.take('b', one).kind).toBe('allowed');
  clock.set(Date.UTC(2026, 10, 22));
  expect(limiter.take('a', one).kind).toBe('allowed');
  expect(limiter.take('a', one).kind).toBe('limit-exceeded');
});

test('a plan that changes acts on the next request', () => {
  const clock = heldClock(0);
  const limiter = createPlanLimiter({ clock });
  const take = (burst: number) => limiter.take('a', { ...plan, burst }).kind;
  expect([take(2), take(2), take(2)]).toEqual(['allowed', 'allowed', 'too-many']);
  clock.holdAt(10_000);
  expect([take(1), take(1)]).toEqual(['allowed', 'too-many']);
});

/**
 * The plan, told without a running balance: a request fits when, over every window that ends with
 * it, no more were allowed than the burst and what the rate adds in that time.
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

// Rates that divide a second, so that neither side rounds where they could differ.
const plans = fc.record({
  ratePerSecond: fc.constantFrom(0.5, 1, 2, 4, 8),
  burst: fc.integer({ min: 1, max: 6 }),
  requestsPerDay: fc.integer({ min: 1, max: 30 }),
});
const waits = fc.array(fc.constantFrom(0, 0, 0, 125, 250, 500, 1_000, 5_000, 43_200_000), {
  maxLength: 80,
});

test('whatever comes when, it is what the plan says told without a bucket', () => {
  fc.assert(
    fc.property(plans, waits, (of, gaps) => {
      const clock = heldClock(0);
      const limiter = createPlanLimiter({ clock });
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
});

/** The wait that is told ends when the next request fits, and not a millisecond sooner. */
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
