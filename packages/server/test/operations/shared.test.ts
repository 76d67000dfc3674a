import { expect, test } from 'vitest';
import { createShared } from '../../src/operations/context/shared.ts';
import { createTestClock } from '../support/test-clock.ts';

function open() {
  const clock = createTestClock();
  const store = { reads: 0, isAway: false };
  const { read, invalidate: forget } = createShared({
    ...{ clock, maxAgeMs: 1_000 },
    async readNow(app: string) {
      if (store.isAway) throw new Error('away');
      store.reads += 1;
      return `${app} ${store.reads}`;
    },
  });
  return { clock, store, forget, read: (app: string) => read(app, app) };
}

test('readers of the same name share one read for a second', async () => {
  const { clock, read } = open();
  expect(await Promise.all([read('a'), read('a'), read('b')])).toEqual(['a 1', 'a 1', 'b 2']);
  await clock.advance(999);
  expect(await read('a')).toBe('a 1');
  await clock.advance(1);
  expect(await Promise.all([read('a'), read('a')])).toEqual(['a 3', 'a 3']);
});

test('after a change the next reader reads again, even while a read runs', async () => {
  const { forget, read } = open();
  const before = read('a');
  forget();
  expect(await Promise.all([before, read('a')])).toEqual(['a 1', 'a 2']);
});

test('a failed read is not cached', async () => {
  const { store, read } = open();
  store.isAway = true;
  await expect(read('a')).rejects.toThrow('away');
  store.isAway = false;
  expect(await read('a')).toBe('a 1');
});
