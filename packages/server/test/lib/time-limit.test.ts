import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Timer } from '../../src/lib/clock.ts';
import { createTimeLimit } from '../../src/lib/time-limit.ts';
import { createTestClock } from '../support/test-clock.ts';

const limitMs = 100;

test('each ends after its own time, unless it is canceled', async () => {
  const step = fc.record({ waitMs: fc.integer({ min: 0, max: 70 }), isCancelled: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const clock = createTestClock();
      const limit = createTimeLimit(clock, limitMs);
      const ended: [number, number][] = [];
      const expected: [number, number][] = [];
      const cancelled: Timer[] = [];
      for (const [index, { waitMs, isCancelled }] of steps.entries()) {
        await clock.advance(waitMs);
        for (const timer of cancelled.splice(0)) timer.cancel();
        const timer = limit.begin(() => void ended.push([index, clock.monotonic()]));
        if (isCancelled) cancelled.push(timer);
        // A limit that is canceled when the next step begins might have ended earlier.
        const nextMs = steps[index + 1]?.waitMs;
        if (!isCancelled || nextMs === undefined) {
          expected.push([index, clock.monotonic() + limitMs]);
        }
      }
      await clock.advance(limitMs * 2);
      expect(ended).toEqual(expected);
    }),
  );
});

test('one timer serves all, and none is left when it is not needed', async () => {
  const clock = createTestClock();
  let timers = 0;
  const counting: typeof clock = {
    ...clock,
    after(delayMs, run, options) {
      timers += 1;
      return clock.after(delayMs, run, options);
    },
  };
  const limit = createTimeLimit(counting, limitMs);
  for (let index = 0; index < 1_000; index++) limit.begin(() => undefined).cancel();
  expect(timers).toBe(1);
  await clock.advance(limitMs * 10);
  expect(timers).toBe(1);
});

test('all are ended at once, and later ones have their whole time', async () => {
  const clock = createTestClock();
  const limit = createTimeLimit(clock, limitMs);
  const ended: string[] = [];
  limit.begin(() => {
    ended.push('first');
    limit.begin(() => void ended.push('begun by the first'));
  });
  limit.begin(() => void ended.push('second'));
  limit.begin(() => void ended.push('cancelled')).cancel();
  limit.endAll();
  expect(ended).toEqual(['first', 'second']);
  await clock.advance(limitMs - 1);
  expect(ended).toEqual(['first', 'second']);
  await clock.advance(1);
  expect(ended).toEqual(['first', 'second', 'begun by the first']);
});
