import { expect, test } from 'vitest';
import type { Permit } from '../../src/calls/model/permit.ts';
import { createSharedCounts, createSharedMemory } from '../../src/compose/threads/shared-counts.ts';
import {
  createConcurrencyLimiter,
  type RequestPermit,
} from '../../src/ingress/limits/concurrency.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

/** The admission limiters of threads, whose limits apply to all together. */
function openGates(inFlight = 10, { threads = 2, enabledApps = 0 } = {}) {
  const limits = { inFlight, bodyBytesInFlight: 10 * 1_024 };
  const memory = createSharedMemory(threads);
  const first = openGate(1);
  const second = openGate(2);
  const others = Array.from({ length: threads - 2 }, (_, index) => openGate(index + 3));
  const gates = [first, second, ...others] as const;
  return gates;

  function openGate(thread: number) {
    const clock = createTestClock();
    const detached: Permit[] = [];
    const counts = createSharedCounts(memory, { thread, clock, poke: (other) => look(other) });
    const concurrency = createConcurrencyLimiter({
      ...{ limits, clock, counts },
      detachedCalls: {
        count: () => detached.length,
        cutSmallest() {
          const first = detached.shift();
          if (first !== undefined) counts.detached.add(-1);
          first?.release();
          return first !== undefined;
        },
      },
      registry: { enabledApps: () => enabledApps },
    });
    return { clock, counts, concurrency, detached, enter, enterMany, detach, lookAtCuts };

    function enter(app: string, bodyBytes = 0): RequestPermit | undefined {
      return concurrency.isFull(app, bodyBytes) ? undefined : concurrency.acquire(app, bodyBytes);
    }

    function enterMany(app: string, count: number): number {
      return Array.from({ length: count }, () => enter(app)).filter(Boolean).length;
    }

    function detach(permit: RequestPermit | undefined) {
      if (permit === undefined) throw new Error('it has a permit');
      detached.push(permit.transfer());
      counts.detached.add(1);
    }

    function lookAtCuts() {
      for (let wanted = counts.takeCutRequests(); wanted > 0; wanted--) {
        counts.detached.add(1);
        const first = detached.shift();
        if (first !== undefined) counts.detached.add(-1);
        first?.release();
      }
    }
  }

  function look(thread: number) {
    gates[thread - 1]?.lookAtCuts();
  }
}

/** The time in which one thread's counts of apps reach the others. */
const pass = (...gates: readonly { readonly clock: TestClock }[]) =>
  Promise.all(gates.map(({ clock }) => clock.advance(20)));

test('permits belong to both threads, however their callers are spread', () => {
  const [one, two] = openGates();
  expect([one.enterMany('search', 7), two.enterMany('search', 7)]).toEqual([7, 3]);
  expect([one.enterMany('search', 1), two.enterMany('tutor', 1)]).toEqual([0, 0]);
  expect([one.concurrency.load().requests, two.concurrency.load().requests]).toEqual([7, 3]);
});

test('a permit that one thread has just acquired is not available to another', () => {
  const [one, two] = openGates();
  expect(one.enterMany('search', 9)).toBe(9);
  // Both have seen one remaining permit.
  expect([one.concurrency.isFull('search', 0), two.concurrency.isFull('tutor', 0)]).toEqual([
    false,
    false,
  ]);
  expect(two.concurrency.acquire('tutor', 0)).toBeDefined();
  expect(one.concurrency.acquire('search', 0)).toBeUndefined();
});

test('bytes of bodies belong to both threads', () => {
  const [one, two] = openGates();
  expect(one.enter('search', 6 * 1_024)).toBeDefined();
  expect(two.enter('tutor', 5 * 1_024)).toBeUndefined();
  const permit = two.enter('tutor', 4 * 1_024);
  expect(permit?.hasRoom(4 * 1_024 + 1)).toBe(false);
});

test('an app has its share of all permits, whichever threads it uses', async () => {
  const [one, two] = openGates(100);
  expect(two.enterMany('search', 40)).toBe(40);
  await pass(one, two);
  // Both are active: a permit in another thread counts too.
  expect(one.enterMany('tutor', 1)).toBe(1);
  await pass(one, two);
  expect(one.enterMany('search', 100) + two.enterMany('search', 100)).toBeLessThanOrEqual(20);
  expect(one.enterMany('tutor', 40)).toBeGreaterThanOrEqual(29);
});

test.each([2, 3, 4])('an app with endless calls on %i threads leaves a tenth', async (threads) => {
  const gates = openGates(100, { threads, enabledApps: 20 });
  let taken = 0;
  for (const gate of gates) taken += gate.enterMany('eager', 300);
  await pass(...gates);
  for (const gate of gates) taken += gate.enterMany('eager', 300);
  expect(taken).toBe(90);
  const newcomers = Array.from({ length: 19 }, (_, index) =>
    gates[index % threads]?.enter(`app-${index}`),
  );
  expect(newcomers.filter(Boolean)).toHaveLength(10);
});

test('a detached call of another thread releases its permit to a new call', () => {
  const [one, two] = openGates();
  const [first] = Array.from({ length: 10 }, () => two.enter('search'));
  two.detach(first);
  expect(one.enter('tutor')).toBeDefined();
  expect(two.detached).toEqual([]);
  expect(one.counts.permits.own + two.counts.permits.own).toBe(10);
  expect(one.enter('reports')).toBeUndefined();
});

test('a thread cancels its own before another thread’s', () => {
  const [one, two] = openGates();
  one.detach(one.enter('search'));
  two.detach(two.enter('search'));
  expect(one.enterMany('search', 8)).toBe(8);
  expect(one.enter('tutor')).toBeDefined();
  expect([one.detached.length, two.detached.length]).toEqual([0, 1]);
});
