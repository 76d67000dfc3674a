import { expect, test } from 'vitest';
import { mergeCircuits, sumLoads } from '../../src/compose/parts/other-threads.ts';

const load = {
  ...{ requests: 1, bodyBytes: 2, bodyBytesMax: 100, runningCalls: 3 },
  ...{ detachedCalls: 4, streams: 5, queue: 6 },
};

test('the counts of all threads are added up, and their capacity is one', () => {
  expect(sumLoads(load, [])).toEqual(load);
  expect(sumLoads(load, [load, { ...load, requests: 10 }])).toEqual({
    ...{ requests: 12, bodyBytes: 6, bodyBytesMax: 100, runningCalls: 9 },
    ...{ detachedCalls: 12, streams: 15, queue: 18 },
  });
});

test('counts of platforms are added up, and of each circuit the worst is shown', () => {
  const counts = { retriesTaken: 1, retriesDenied: 2, circuitsOpened: 3, attemptsRefused: 4 };
  const one = {
    platforms: [{ platform: 'a', ...counts }],
    circuits: [
      { platform: 'a', model: 'm', state: 'closed' },
      { platform: 'a', model: 'n', state: 'probing' },
    ],
  } as const;
  const other = {
    platforms: [
      { platform: 'a', ...counts },
      { platform: 'b', ...counts },
    ],
    circuits: [{ platform: 'a', model: 'm', state: 'open' }],
  } as const;
  const { platforms, circuits } = mergeCircuits([one, other]);
  expect(platforms).toEqual([
    ...[
      { platform: 'a', retriesTaken: 2, retriesDenied: 4, circuitsOpened: 6, attemptsRefused: 8 },
    ],
    { platform: 'b', ...counts },
  ]);
  expect(circuits).toEqual([
    { platform: 'a', model: 'm', state: 'open' },
    { platform: 'a', model: 'n', state: 'probing' },
  ]);
});
