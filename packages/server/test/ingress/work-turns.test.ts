import { expect, test } from 'vitest';
import { createWorkTurns } from '../../src/ingress/limits/work-turns.ts';

/** Turns on a processor whose time a test controls. `steps` has the events, in order. */
function openTurns({ isShared = true, busyMs = 0 } = {}) {
  let nowMs = 0;
  let due: (() => void) | undefined;
  const steps: string[] = [];
  const turns = createWorkTurns({
    processor: {
      nowMs: () => nowMs,
      idleMs: () => Math.max(0, nowMs - busyMs),
      after(waitMs, run) {
        steps.push(`wait ${waitMs}`);
        due = () => {
          nowMs += waitMs;
          run();
        };
      },
    },
    isShared: () => isShared,
  });
  const work = async (app: string, tookMs: number) => {
    await turns.next(app);
    const startedMs = nowMs;
    nowMs += tookMs;
    steps.push(app);
    turns.end(startedMs);
    return app;
  };
  const nextTurn = () => {
    due?.();
    return Promise.resolve();
  };
  return { turns, work, nextTurn, steps };
}

test('one large body is processed at once, others in turns of the loop by app', async () => {
  const { turns, work, nextTurn, steps } = openTurns();
  const all = [work('a', 1), work('a', 1), work('a', 1), work('b', 1)];
  await all[0];
  expect(steps).toEqual(['a', 'wait 0']);
  expect(turns.isWaiting()).toBe(true);
  for (const next of [all[1], all[3], all[2]]) {
    nextTurn();
    await next;
  }
  expect(steps.filter((step) => !step.startsWith('wait'))).toEqual(['a', 'a', 'b', 'a']);
  expect(turns.isWaiting()).toBe(false);
  nextTurn();
  expect(await work('b', 1)).toBe('b');
});

test('after long work the loop is idle for as long, while several apps ask', async () => {
  const { work, nextTurn, steps } = openTurns();
  const [first, second] = [work('a', 60), work('a', 1)];
  await first;
  nextTurn();
  await second;
  expect(steps).toEqual(['a', 'wait 60', 'a', 'wait 0']);
});

test('a busy loop makes long work wait longer, at most four times its own duration', async () => {
  const some = openTurns({ busyMs: 60 + 25 });
  const [first, second] = [some.work('a', 60), some.work('a', 1)];
  await first;
  some.nextTurn();
  some.nextTurn();
  await second;
  expect(some.steps).toEqual(['a', 'wait 60', 'wait 25', 'a', 'wait 0']);
  const always = openTurns({ busyMs: Number.POSITIVE_INFINITY });
  const [begun, later] = [always.work('a', 60), always.work('a', 1)];
  await begun;
  for (let turn = 0; turn < 4; turn++) always.nextTurn();
  await later;
  expect(always.steps).toEqual(['a', ...Array(4).fill('wait 60'), 'a', 'wait 0']);
});

test('a single app does not wait', async () => {
  const { work, steps } = openTurns({ isShared: false });
  await work('a', 60);
  expect(steps).toEqual(['a', 'wait 0']);
});

test('work that continues in its turn does so before other work begins, after a rest', async () => {
  const { turns, work, nextTurn, steps } = openTurns();
  await turns.next('a');
  const others = work('b', 1);
  const rested = turns.rest(-60).then(() => steps.push('a goes on'));
  await nextTurn();
  await rested;
  turns.end(60);
  await nextTurn();
  await others;
  expect(steps).toEqual(['wait 60', 'a goes on', 'wait 0', 'b', 'wait 0']);
});

test('of one app, started work comes before new work', async () => {
  const { turns, nextTurn } = openTurns();
  const order: string[] = [];
  await turns.next('a');
  const come = (name: string, place?: 'ahead') =>
    turns.next('a', place).then(() => {
      order.push(name);
      turns.end(0);
    });
  const all = [come('new 1'), come('begun 1', 'ahead'), come('new 2'), come('begun 2', 'ahead')];
  turns.end(0);
  for (const _ of all) await nextTurn();
  await Promise.all(all);
  expect(order).toEqual(['begun 1', 'begun 2', 'new 1', 'new 2']);
});
