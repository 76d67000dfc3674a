import { expect, test } from 'vitest';
import { createRunCache, freshMs, staleMs } from '../../src/calls/runs/run-cache.ts';
import type { Run } from '../../src/domain/run.ts';

const run: Run = {
  ...{ app: 'search', id: 'run_1', parentKeyId: 'k', maxCostPicoUsd: 1n, models: undefined },
  ...{ userId: undefined, label: undefined, createdAtMs: 0, expiresAtMs: 1, endedAtMs: undefined },
};

/** A cache whose time and readings are the test's. */
function scene() {
  let nowMs = 0;
  const readings: { name: string; answer: (found: Run | undefined) => void }[] = [];
  const cache = createRunCache({ monotonic: () => nowMs });
  const read = (name: string) =>
    cache.read(name, () => {
      const { promise, resolve } = Promise.withResolvers<Run | undefined>();
      readings.push({ name, answer: resolve });
      return promise;
    });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { cache, read, readings, pass };
}

test('those who ask at once share a reading, which is believed for a while', async () => {
  const { read, readings, pass } = scene();
  const both = [read('a'), read('a')];
  expect(readings).toHaveLength(1);
  readings[0]?.answer(run);
  expect(await Promise.all(both)).toEqual([run, run]);
  pass(freshMs - 1);
  expect(read('a')).toBe(run);
  pass(1);
  expect(read('a')).toBeInstanceOf(Promise);
  expect(readings).toHaveLength(2);
});

test('a reading that took so long that the run may be over is no answer', async () => {
  const { read, readings, pass } = scene();
  const slow = read('a');
  pass(freshMs);
  // It is not waited for by those who come now.
  const next = read('a');
  expect(readings).toHaveLength(2);
  pass(staleMs - freshMs);
  readings[0]?.answer(run);
  expect(await slow).toBe('busy');
  readings[1]?.answer(undefined);
  expect(await next).toBeUndefined();
});

test('what was ended here is over, whatever a reading says that began before', async () => {
  const { cache, read, readings, pass } = scene();
  const before = read('a');
  pass(100);
  cache.ended('search', 'run_1');
  pass(staleMs - 101);
  cache.ended('search', 'run_2');
  readings[0]?.answer(run);
  expect(await before).toBeUndefined();
});

test('names that nobody has push out none that was found', async () => {
  const { cache, read, readings } = scene();
  cache.made(run, ['a', 'b']);
  for (let at = 0; at < 5_000; at++) {
    const found = read(`unknown ${at}`);
    readings.at(-1)?.answer(undefined);
    await found;
  }
  expect([read('a'), read('b')]).toEqual([run, run]);
  // Nor do they stop one that was found from being read anew.
  const waiting = Array.from({ length: 200 }, (_, at) => read(`another ${at}`));
  expect(waiting.filter((found) => found === 'busy')).toHaveLength(200 - 64);
});

test('a reading that fails is none', async () => {
  const { cache } = scene();
  const failing = () => Promise.reject(new Error('the store is away'));
  await expect(cache.read('a', failing)).rejects.toThrow('away');
  expect(await cache.read('a', async () => run)).toBe(run);
});
