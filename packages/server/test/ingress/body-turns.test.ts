import { expect, test } from 'vitest';
import { createBodyTurns } from '../../src/ingress/limits/body-turns.ts';

/** Turns on a processor whose time a test holds; `steps` is what happened, in order. */
function openTurns({ isShared = true } = {}) {
  let nowMs = 0;
  let due: (() => void) | undefined;
  const steps: string[] = [];
  const turns = createBodyTurns({
    processor: {
      nowMs: () => nowMs,
      after(waitMs, run) {
        steps.push(`wait ${waitMs}`);
        due = run;
      },
    },
    isShared: () => isShared,
  });
  const work = (app: string, tookMs: number) =>
    turns.run(app, () => {
      nowMs += tookMs;
      steps.push(app);
      return Promise.resolve(app);
    });
  const nextTurn = () => due?.();
  return { turns, work, nextTurn, steps };
}

test('the first large body is worked on at once, further ones in turns of the loop by app', async () => {
  const { turns, work, nextTurn, steps } = openTurns();
  const all = [work('a', 1), work('a', 1), work('a', 1), work('b', 1)];
  expect(steps).toEqual(['a', 'wait 0']);
  expect(turns.isWaiting()).toBe(true);
  for (let turn = 0; turn < 4; turn++) nextTurn();
  expect(steps.filter((step) => !step.startsWith('wait'))).toEqual(['a', 'a', 'b', 'a']);
  expect(turns.isWaiting()).toBe(false);
  expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'b']);
});

test('after long work others have as long, while several apps ask', () => {
  const { work, nextTurn, steps } = openTurns();
  void work('a', 60);
  void work('a', 4);
  nextTurn();
  expect(steps).toEqual(['a', 'wait 60', 'a', 'wait 0']);
});

test('an app alone waits for nobody', () => {
  const { work, steps } = openTurns({ isShared: false });
  void work('a', 60);
  expect(steps).toEqual(['a', 'wait 0']);
});

test('work that fails ends its turn', async () => {
  const { turns, work, nextTurn } = openTurns();
  await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  nextTurn();
  expect(await work('b', 1)).toBe('b');
});
