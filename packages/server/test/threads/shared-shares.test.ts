import { expect, test } from 'vitest';
import { createSharedCounts, createSharedMemory } from '../../src/compose/threads/shared-counts.ts';
import { createShares } from '../../src/ingress/limits/shares.ts';
import { createTestClock } from '../support/test-clock.ts';

const many = (count: number) => Array.from({ length: count });

/** The streams of two threads, which share this maximum. */
function openThreads(max: number, enabledApps: number) {
  const memory = createSharedMemory(2);
  const clock = createTestClock();
  const sides = ([1, 2] as const).map((thread) => {
    const counts = createSharedCounts(memory, { thread, clock, poke: () => undefined });
    const { streams: counted, activeStreamApps: activeApps } = counts;
    return createShares({ max, counted, activeApps, clock, enabledApps: () => enabledApps });
  });
  /** Requests streams from the threads in turn; returns the number of grants. */
  const take = (app: string, count: number) =>
    many(count).filter((_, index) => {
      const side = sides[index % 2];
      return side !== undefined && !side.isFull(app) && side.take(app);
    }).length;
  return { clock, sides, take };
}

test('one app on both threads leaves streams for another one', async () => {
  const { clock, take } = openThreads(1_000, 2);
  expect(take('search', 1_050)).toBe(899);
  await clock.advance(20);
  expect(take('tutor', 14)).toBe(14);
  await clock.advance(20);
  expect(take('search', 100)).toBe(0);
});

test('an app’s streams on one thread count on the other, until they end', async () => {
  const { clock, sides, take } = openThreads(10, 2);
  expect(take('search', 5)).toBe(5);
  expect(take('tutor', 5)).toBe(5);
  for (const side of sides) {
    side.leave('search');
    side.leave('search');
  }
  await clock.advance(20);
  // 60 % are the maximum for one of them.
  expect([take('tutor', 3), take('search', 5)]).toEqual([1, 3]);
});

test('the last one is taken by one thread only', () => {
  const { sides } = openThreads(1, 1);
  const [one, two] = sides;
  expect([one?.isFull('search'), two?.isFull('tutor')]).toEqual([false, false]);
  expect([one?.take('search'), two?.take('tutor')]).toEqual([true, false]);
});
