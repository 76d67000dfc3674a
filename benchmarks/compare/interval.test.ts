import { expect, test } from 'vitest';
import { type Interval, intervalOf, verdictOf } from './interval.ts';

const oneTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test.each([
  [1, { low: 1, median: 1, high: 1 }],
  [5, { low: 1, median: 3, high: 5 }],
  [6, { low: 1, median: 3.5, high: 6 }],
  // The chance that as many coins show fewer heads than the rank is at most 2.5 %.
  [10, { low: 2, median: 5.5, high: 9 }],
  [40, { low: 14, median: 20.5, high: 27 }],
  [120, { low: 49, median: 60.5, high: 72 }],
])('the interval of the median of %d values', (count, interval) => {
  expect(intervalOf(oneTo(count).toReversed())).toEqual(interval);
});

const around = (median: number, half: number): Interval => ({
  ...{ low: median - half, median, high: median + half },
});

test.each([
  ['as expensive', around(1, 0.01), around(1, 0.01), 'holds'],
  ['as much more expensive as is allowed', around(1.02, 0.01), around(1, 0.01), 'holds'],
  ['too expensive', around(1.04, 0.01), around(1, 0.01), 'missed'],
  ['measured too roughly', around(1, 0.03), around(1, 0.01), 'not shown'],
  ['on a machine that is too restless', around(1, 0.01), around(1, 0.03), 'not shown'],
] as const)('a version that is %s', (_, ofNew, ofOld, verdict) => {
  expect(verdictOf({ ofNew, ofOld }, 2)).toBe(verdict);
});
