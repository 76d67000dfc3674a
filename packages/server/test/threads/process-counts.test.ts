import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createSharedCount,
  createSharedCounts,
  createSharedMemory,
  createSharedTally,
  type SharedCounts,
} from '../../src/compose/threads/shared-counts.ts';
import { createTestClock } from '../support/test-clock.ts';

// Counts that threads share: each side here is one thread's, on the same memory.

function sidesOf(threads: number) {
  const memory = createSharedMemory(threads);
  const clock = createTestClock();
  const poked: number[] = [];
  const poke = (thread: number) => void poked.push(thread);
  const sides = Array.from({ length: threads }, (_, index) =>
    createSharedCounts(memory, { thread: index + 1, clock, poke }),
  );
  return { sides, poked };
}

function pairOf(sides: readonly SharedCounts[]): readonly [SharedCounts, SharedCounts] {
  const [one, two] = sides;
  if (one === undefined || two === undefined) throw new Error('there are two sides');
  return [one, two];
}

describe('a count', () => {
  const steps = fc.array(
    fc.record({ side: fc.nat(2), take: fc.boolean(), max: fc.nat(12), change: fc.nat(3) }),
  );

  test('never exceeds its maximum, whichever threads acquire it', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const { sides } = sidesOf(3);
        const model = [0, 0, 0];
        for (const { side, take, max, change } of script) {
          const count = sides[side]?.permits;
          const all = model.reduce((sum, own) => sum + own, 0);
          if (take) {
            expect(count?.take(max)).toBe(all < max);
            if (all < max) model[side] = (model[side] ?? 0) + 1;
          } else {
            const less = Math.min(change, model[side] ?? 0);
            if (count !== undefined) count.own -= less;
            model[side] = (model[side] ?? 0) - less;
          }
          const sum = model.reduce((total, own) => total + own, 0);
          for (const [index, each] of sides.entries()) {
            expect(each.permits.own).toBe(model[index]);
            expect(each.permits.others).toBe(sum - (model[index] ?? 0));
          }
        }
      }),
    );
  });

  test('of bytes has its own exactly, and the others’ in whole units above', () => {
    const memory = new Int32Array(new SharedArrayBuffer(4));
    const [one, two] = [createSharedCount(memory, 1_024), createSharedCount(memory, 1_024)];
    one.own += 1;
    one.own += 2_000;
    expect([one.own, two.others]).toEqual([2_001, 2_048]);
    one.own -= 977;
    expect([one.own, two.others]).toEqual([1_024, 1_024]);
    two.own += 5;
    one.own -= 1_024;
    expect([one.own, one.others, two.own, two.others]).toEqual([0, 1_024, 5, 0]);
  });
});

test('a tally counts each name by all threads, and loses none of them', () => {
  const memory = new Int32Array(new SharedArrayBuffer(4 * 64));
  const [one, two] = [createSharedTally(memory), createSharedTally(memory)];
  for (const name of ['a', 'b', 'a']) one.add(name, 1);
  two.add('a', 1);
  expect([two.of('a'), one.of('b'), one.of('c')]).toEqual([3, 1, 0]);
  two.add('a', -1);
  for (const name of ['a', 'a', 'b']) one.add(name, -1);
  expect([one.of('a'), two.of('b')]).toEqual([0, 0]);
});

describe('detached calls', () => {
  test('of another thread are canceled one for each required permit', () => {
    const { sides, poked } = sidesOf(2);
    const [one, two] = pairOf(sides);
    two.detached.add(2);
    expect([one.detached.others(), two.detached.others()]).toEqual([2, 0]);
    expect([one.detached.cutElsewhere(), one.detached.cutElsewhere()]).toEqual([true, true]);
    // They count as ended at once, so no permit is granted twice.
    expect([one.detached.others(), one.detached.cutElsewhere()]).toEqual([0, false]);
    expect(poked).toEqual([2, 2]);
    expect([two.takeCutRequests(), two.takeCutRequests()]).toEqual([2, 0]);
  });

  test('that end by themselves before they are canceled are counted once', () => {
    const { sides } = sidesOf(2);
    const [one, two] = pairOf(sides);
    two.detached.add(1);
    expect(one.detached.cutElsewhere()).toBe(true);
    // It ends, and its thread reads its cancel requests afterwards.
    two.detached.add(-1);
    expect(one.detached.others()).toBe(0);
    for (let wanted = two.takeCutRequests(); wanted > 0; wanted--) two.detached.add(1);
    expect(one.detached.others()).toBe(0);
    two.detached.add(1);
    expect(one.detached.others()).toBe(1);
  });
});
