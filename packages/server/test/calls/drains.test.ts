import { describe, expect, test } from 'vitest';
import { createDetachedCalls } from '../../src/calls/running/detached.ts';
import { createOwnCounts } from '../../src/compose/parts/process-counts.ts';
import { expectBooks, heldBy, paid } from '../support/books.ts';
import { chatOf, sendBody } from '../support/exchange.ts';
import { mostPicoUsd, usd } from '../support/most.ts';
import { onStack } from '../support/on-stack.ts';

/** A drain that ends when it is cut, or when the test says so. */
function drainOf(heldPicoUsd: bigint, app = 'search') {
  const { promise, resolve } = Promise.withResolvers<void>();
  const drain = { app, cuts: 0, end: resolve, work: promise, heldPicoUsd: () => heldPicoUsd, cut };
  return drain;

  function cut() {
    drain.cuts += 1;
  }
}

describe('drains', () => {
  test('are cut from the smallest hold on, each once, and give their places up at once', () => {
    const drains = createDetachedCalls(createOwnCounts().detached);
    const [large, small, middle] = [drainOf(9n), drainOf(1n), drainOf(5n)];
    for (const drain of [large, small, middle]) drains.add(drain);
    const cuts = () => [small, middle, large].map((drain) => drain.cuts);
    expect(drains.count()).toBe(3);
    expect(drains.cutSmallest()).toBe(true);
    expect([cuts(), drains.count()]).toEqual([[1, 0, 0], 2]);
    expect(drains.cutSmallest()).toBe(true);
    expect([cuts(), drains.count()]).toEqual([[1, 1, 0], 1]);
    expect(drains.cutSmallest()).toBe(true);
    expect(drains.cutSmallest()).toBe(false);
    expect([cuts(), drains.count()]).toEqual([[1, 1, 1], 0]);
  });

  test('of the app that needs the place are cut first, however small those of others are', () => {
    const drains = createDetachedCalls(createOwnCounts().detached);
    const [other, own, larger] = [drainOf(1n, 'tutor'), drainOf(5n), drainOf(9n)];
    for (const drain of [other, larger, own]) drains.add(drain);
    const cuts = () => [own, larger, other].map((drain) => drain.cuts);
    expect([drains.cutSmallest('search'), cuts()]).toEqual([true, [1, 0, 0]]);
    expect([drains.cutSmallest('search'), cuts()]).toEqual([true, [1, 1, 0]]);
    expect([drains.cutSmallest('search'), cuts()]).toEqual([false, [1, 1, 0]]);
    expect([drains.cutSmallest(), cuts()]).toEqual([true, [1, 1, 1]]);
  });

  test('of equal holds are cut from the oldest on', () => {
    const drains = createDetachedCalls(createOwnCounts().detached);
    const [older, younger] = [drainOf(3n), drainOf(3n)];
    for (const drain of [older, younger]) drains.add(drain);
    drains.cutSmallest();
    expect([older.cuts, younger.cuts]).toEqual([1, 0]);
  });

  test('that have ended hold no place, and are not cut', async () => {
    const drains = createDetachedCalls(createOwnCounts().detached);
    const [ended, open] = [drainOf(1n), drainOf(2n)];
    for (const drain of [ended, open]) drains.add(drain);
    ended.end();
    await ended.work;
    await Promise.resolve();
    expect(drains.count()).toBe(1);
    drains.cutAll();
    expect([ended.cuts, open.cuts]).toEqual([0, 1]);
  });

  test('that come when all are cut are cut too', () => {
    const drains = createDetachedCalls(createOwnCounts().detached);
    drains.cutAll();
    const late = drainOf(1n);
    drains.add(late);
    expect([late.cuts, drains.count()]).toEqual([1, 0]);
  });

  test('are empty when every drain and every settlement has ended, cut or not', async () => {
    const drains = createDetachedCalls(createOwnCounts().detached);
    const drain = drainOf(1n);
    const settlement = Promise.withResolvers<void>();
    let isEmpty = false;
    drains.add(drain);
    drains.settling.enter();
    settlement.promise.catch(drains.settling.leave);
    const empty = drains.empty().then(() => {
      isEmpty = true;
    });
    drains.cutAll();
    await new Promise((resolve) => setImmediate(resolve));
    drain.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isEmpty).toBe(false);
    settlement.reject(new Error('it was not to be'));
    await empty;
  });
});

test(
  'the drain that is cut is booked with the most that it can cost; the other goes on',
  onStack(async (stack) => {
    const { detached: drains } = stack.service.runner;
    const small = chatOf('sim-timeout', { maxTokens: 50 });
    const large = chatOf('sim-timeout', { maxTokens: 500 });
    const answers = [sendBody(stack, 'tutor', { ...large, userId: 'ada' })];
    answers.push(sendBody(stack, 'search', small));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(504);
    expect(drains.count()).toBe(2);
    expect(drains.cutSmallest()).toBe(true);
    await stack.clock.settle();
    expect([await heldBy(stack.store, 'search'), await heldBy(stack.store, 'tutor')]).toEqual([
      0, 1,
    ]);
    await stack.clock.advance(4_000);
    const costUsd = usd(mostPicoUsd(small));
    const cost = { costUsd, estimatedUsd: costUsd };
    const cut = { code: 'TIMEOUT', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
    await expectBooks(stack, 'search', { calls: [cut], billedUsd: '0.000006' });
    const late = paid('0.000006', 'TIMEOUT');
    await expectBooks(stack, 'tutor', { calls: [late], billedUsd: '0.000006' });
  }),
);
