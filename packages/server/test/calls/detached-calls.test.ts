import { describe, expect, test } from 'vitest';
import { createDetachedCalls } from '../../src/calls/running/detached.ts';
import { createOwnCounts } from '../../src/compose/parts/process-counts.ts';
import { expectBooks, heldBy, paid } from '../support/books.ts';
import { chatOf, sendBody } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { onStack } from '../support/on-stack.ts';

/** A detached call that ends when it is canceled, or when the test ends it. */
function detachedCallOf(heldPicoUsd: bigint, app = 'search') {
  const { promise, resolve } = Promise.withResolvers<void>();
  const detached = {
    app,
    cuts: 0,
    end: resolve,
    work: promise,
    heldPicoUsd: () => heldPicoUsd,
    cut,
  };
  return detached;

  function cut() {
    detached.cuts += 1;
  }
}

describe('detached calls', () => {
  test('are canceled from the smallest reservation, once, and free their permits', () => {
    const calls = createDetachedCalls(createOwnCounts().detached);
    const [large, small, middle] = [detachedCallOf(9n), detachedCallOf(1n), detachedCallOf(5n)];
    for (const detached of [large, small, middle]) calls.add(detached);
    const cuts = () => [small, middle, large].map((detached) => detached.cuts);
    expect(calls.count()).toBe(3);
    expect(calls.cutSmallest()).toBe(true);
    expect([cuts(), calls.count()]).toEqual([[1, 0, 0], 2]);
    expect(calls.cutSmallest()).toBe(true);
    expect([cuts(), calls.count()]).toEqual([[1, 1, 0], 1]);
    expect(calls.cutSmallest()).toBe(true);
    expect(calls.cutSmallest()).toBe(false);
    expect([cuts(), calls.count()]).toEqual([[1, 1, 1], 0]);
  });

  test('of the app that needs the permit are canceled before smaller ones', () => {
    const calls = createDetachedCalls(createOwnCounts().detached);
    const [other, own, larger] = [
      detachedCallOf(1n, 'tutor'),
      detachedCallOf(5n),
      detachedCallOf(9n),
    ];
    for (const detached of [other, larger, own]) calls.add(detached);
    const cuts = () => [own, larger, other].map((detached) => detached.cuts);
    expect([calls.cutSmallest('search'), cuts()]).toEqual([true, [1, 0, 0]]);
    expect([calls.cutSmallest('search'), cuts()]).toEqual([true, [1, 1, 0]]);
    expect([calls.cutSmallest('search'), cuts()]).toEqual([false, [1, 1, 0]]);
    expect([calls.cutSmallest(), cuts()]).toEqual([true, [1, 1, 1]]);
  });

  test('of equal reservations are canceled from the oldest', () => {
    const calls = createDetachedCalls(createOwnCounts().detached);
    const [older, younger] = [detachedCallOf(3n), detachedCallOf(3n)];
    for (const detached of [older, younger]) calls.add(detached);
    calls.cutSmallest();
    expect([older.cuts, younger.cuts]).toEqual([1, 0]);
  });

  test('that have ended hold no permit, and are not canceled', async () => {
    const calls = createDetachedCalls(createOwnCounts().detached);
    const [ended, open] = [detachedCallOf(1n), detachedCallOf(2n)];
    for (const detached of [ended, open]) calls.add(detached);
    ended.end();
    await ended.work;
    await Promise.resolve();
    expect(calls.count()).toBe(1);
    calls.cutAll();
    expect([ended.cuts, open.cuts]).toEqual([0, 1]);
  });

  test('that begin when all are canceled are also canceled', () => {
    const calls = createDetachedCalls(createOwnCounts().detached);
    calls.cutAll();
    const late = detachedCallOf(1n);
    calls.add(late);
    expect([late.cuts, calls.count()]).toEqual([1, 0]);
  });

  test('are empty when every call and settlement has ended, canceled or not', async () => {
    const calls = createDetachedCalls(createOwnCounts().detached);
    const detached = detachedCallOf(1n);
    const settlement = Promise.withResolvers<void>();
    let isEmpty = false;
    calls.add(detached);
    calls.settling.enter();
    settlement.promise.catch(calls.settling.leave);
    const empty = calls.empty().then(() => {
      isEmpty = true;
    });
    calls.cutAll();
    await new Promise((resolve) => setImmediate(resolve));
    detached.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isEmpty).toBe(false);
    settlement.reject(new Error('it was not to be'));
    await empty;
  });
});

test(
  'the canceled one is booked at its maximum cost, and the other continues',
  onStack(async (stack) => {
    const { detached: calls } = stack.service.runner;
    const small = chatOf('sim-timeout', { maxTokens: 50 });
    const large = chatOf('sim-timeout', { maxTokens: 500 });
    const answers = [sendBody(stack, 'tutor', { ...large, userId: 'ada' })];
    answers.push(sendBody(stack, 'search', small));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(504);
    expect(calls.count()).toBe(2);
    expect(calls.cutSmallest()).toBe(true);
    await stack.clock.settle();
    expect([await heldBy(stack.store, 'search'), await heldBy(stack.store, 'tutor')]).toEqual([
      0, 1,
    ]);
    await stack.clock.advance(4_000);
    const costUsd = usd(maximumCostPicoUsd(small));
    const cost = { costUsd, estimatedUsd: costUsd };
    const cut = { code: 'TIMEOUT', basis: 'estimated', ...cost, attempts: ['SERVER'] } as const;
    await expectBooks(stack, 'search', { calls: [cut], billedUsd: '0.000006' });
    const late = paid('0.000006', 'TIMEOUT');
    await expectBooks(stack, 'tutor', { calls: [late], billedUsd: '0.000006' });
  }),
);
