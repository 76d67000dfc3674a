import { expect, test } from 'vitest';
import { createWorkTurns } from '../../src/ingress/limits/work-turns.ts';

/** Turns on a processor whose time a test holds; `steps` is what happened, in order. */
function openTurns({ isShared = true } = {}) {
  let nowMs = 0;
  let due: (() => void) | undefined;
  const steps: string[] = [];
  const turns = createWorkTurns({
    processor: {
      nowMs: () => nowMs,
      after(waitMs, run) {
        steps.push(`wait ${waitMs}`);
        due = run;
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
  const nextTurn = () => due?.();
  return { turns, work, nextTurn, steps };
}

test('one large body is worked on at once, further ones in turns of the loop by app', async () => {
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

test('after long work others have as long, while several apps ask', async () => {
  const { work, nextTurn, steps } = openTurns();
  const [first, second] = [work('a', 60), work('a', 4)];
  await first;
  nextTurn();
  await second;
  expect(steps).toEqual(['a', 'wait 60', 'a', 'wait 0']);
});

test('an app alone waits for none', async () => {
  const { work, steps } = openTurns({ isShared: false });
  await work('a', 60);
  expect(steps).toEqual(['a', 'wait 0']);
});
