import { expect, test } from 'vitest';
import { createRunCache, freshMs, staleMs } from '../../src/calls/runs/run-cache.ts';
import type { Run } from '../../src/domain/run.ts';

const run: Run = {
  ...{ app: 'search', id: 'run_1', parentKeyId: 'k', maxCostPicoUsd: 1n, models: undefined },
  ...{ userId: undefined, label: undefined, createdAtMs: 0, expiresAtMs: 1, endedAtMs: undefined },
};

/** A cache whose clock and reads are controlled by the test. */
function scene() {
  let nowMs = 0;
  const reads: { name: string; answer: (result: Run | undefined) => void }[] = [];
  const cache = createRunCache({ monotonic: () => nowMs });
  const read = (name: string) =>
    cache.read(name, () => {
      const { promise, resolve } = Promise.withResolvers<Run | undefined>();
      reads.push({ name, answer: resolve });
      return promise;
    });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { cache, read, reads, pass };
}

test('simultaneous readers share a read, which is valid for a while', async () => {
  const { read, reads, pass } = scene();
  const both = [read('a'), read('a')];
  expect(reads).toHaveLength(1);
  reads[0]?.answer(run);
  expect(await Promise.all(both)).toEqual([run, run]);
  pass(freshMs - 1);
  expect(read('a')).toBe(run);
  pass(1);
  expect(read('a')).toBeInstanceOf(Promise);
  expect(reads).toHaveLength(2);
});

test('a read that took longer than the run can live is not used', async () => {
  const { read, reads, pass } = scene();
  const slow = read('a');
  pass(freshMs);
  // Later readers do not wait for it.
  const next = read('a');
  expect(reads).toHaveLength(2);
  pass(staleMs - freshMs);
  reads[0]?.answer(run);
  expect(await slow).toBe('busy');
  reads[1]?.answer(undefined);
  expect(await next).toBeUndefined();
});

test('a run that this process ended stays ended, in spite of an earlier read', async () => {
  const { cache, read, reads, pass } = scene();
  const before = read('a');
  pass(100);
  cache.ended('search', 'run_1');
  pass(staleMs - 101);
  cache.ended('search', 'run_2');
  reads[0]?.answer(run);
  expect(await before).toBeUndefined();
});

test('unknown names do not evict runs that were found', async () => {
  const { cache, read, reads } = scene();
  cache.made(run, ['a', 'b']);
  for (let at = 0; at < 5_000; at++) {
    const result = read(`unknown ${at}`);
    reads.at(-1)?.answer(undefined);
    await result;
  }
  expect([read('a'), read('b')]).toEqual([run, run]);
  // A run that was found can still be read again.
  const waiting = Array.from({ length: 200 }, (_, at) => read(`another ${at}`));
  expect(waiting.filter((result) => result === 'busy')).toHaveLength(200 - 64);
});

test('a failed read is not cached', async () => {
  const { cache } = scene();
  const failing = () => Promise.reject(new Error('the store is away'));
  await expect(cache.read('a', failing)).rejects.toThrow('away');
  expect(await cache.read('a', async () => run)).toBe(run);
});
