import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRetryBudget } from '../../src/platforms/outage/circuit-breakers.ts';

/** A bucket whose time is `clock.ms`. */
function bucketAt(startMs: number) {
  const clock = { ms: startMs, monotonic: () => clock.ms };
  return { clock, bucket: createRetryBudget({ clock }) };
}

function takeAll(bucket: { take(): boolean }, tries: number): number {
  let taken = 0;
  for (let index = 0; index < tries; index++) if (bucket.take()) taken += 1;
  return taken;
}

test('it begins with 100 retries, at any time', () => {
  for (const startMs of [0, 1, 123_456_789]) {
    const { bucket } = bucketAt(startMs);
    expect(takeAll(bucket, 150)).toBe(100);
    expect(bucket.counts()).toEqual({ taken: 100, denied: 50 });
  }
});

test('ten a second are restored, and never more than 100', () => {
  const { clock, bucket } = bucketAt(0);
  takeAll(bucket, 100);
  clock.ms += 99;
  expect(takeAll(bucket, 9)).toBe(0);
  clock.ms += 1;
  expect(takeAll(bucket, 9)).toBe(1);
  clock.ms += 1_000;
  expect(takeAll(bucket, 99)).toBe(10);
  clock.ms += 3_600_000;
  expect(takeAll(bucket, 500)).toBe(100);
});

test('it agrees with a bucket that is filled millisecond by millisecond', () => {
  const step = fc.record({ waitMs: fc.nat(400), tries: fc.nat(60) });
  const steps = fc.array(step, { maxLength: 40 });
  fc.assert(
    fc.property(fc.nat(1_000_000), steps, (startMs, wanted) => {
      const { clock, bucket } = bucketAt(startMs);
      // In hundredths of a retry, one of which is restored each millisecond.
      let level = 10_000;
      for (const { waitMs, tries } of wanted) {
        clock.ms += waitMs;
        for (let ms = 0; ms < waitMs; ms++) level = Math.min(10_000, level + 1);
        for (let index = 0; index < tries; index++) {
          const isThere = level >= 100;
          if (isThere) level -= 100;
          expect(bucket.take()).toBe(isThere);
        }
      }
    }),
  );
});
