import { expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import {
  type DaySoFarByHour,
  hoursOf,
  yesterdayOf,
} from '../../src/operations/reports/day-hours.ts';

const hourMs = 3_600_000;
const day = '2026-11-23';
const dayBefore = '2026-11-22';
const usd = (text: string) => parseUsd(text) ?? 0n;

function mark(hour: number, cost: string, calls: number, errors = 0, of = day) {
  return { day: of, hour, calls, errors, cost: usd(cost) };
}

function at(hour: number, more: Partial<DaySoFarByHour> = {}): DaySoFarByHour {
  return {
    ...{ day, dayBefore, nowMs: Date.parse(day) + hour * hourMs, marks: [], refused: new Map() },
    total: { calls: 9, errors: 2, cost: usd('5') },
    ...more,
  };
}

test('an hour is the difference between its records, and the open one is the rest', () => {
  const marks = [mark(1, '1', 3, 1), mark(2, '1.5', 5, 1)];
  const refused = new Map([[Date.parse(day) + hourMs, 7]]);
  expect(hoursOf(at(2.5, { marks, refused }))).toEqual([
    { hour: 0, spentUsd: '1', calls: 3, errors: 1, refused: 0 },
    { hour: 1, spentUsd: '0.5', calls: 2, errors: 0, refused: 7 },
    { hour: 2, spentUsd: '3.5', calls: 4, errors: 1, refused: 0 },
  ]);
});

test.each([
  ['no marks', []],
  ['an hour without a mark', [mark(1, '1', 3), mark(4, '4', 5)]],
  ['a correction that lowered the day', [mark(2, '6', 3), mark(3, '5.5', 5)]],
  ['marks of a version before, without errors', [mark(1, '1', 3, 1), mark(2, '2', 5, 0)]],
  ['marks of yesterday', [mark(5, '3', 3, 1, dayBefore)]],
])('hours add up to the totals, and none is below zero: %s', (_, marks) => {
  const so = at(5.2, { marks });
  const hours = hoursOf(so);
  expect(hours.map(({ hour }) => hour)).toEqual([0, 1, 2, 3, 4, 5]);
  const spent = hours.map(({ spentUsd }) => usd(spentUsd));
  expect(spent.reduce((sum, each) => sum + each, 0n)).toBe(so.total.cost);
  expect(spent.every((each) => each >= 0n)).toBe(true);
  const sum = (pick: (hour: (typeof hours)[number]) => number) =>
    hours.reduce((all, hour) => all + pick(hour), 0);
  expect(sum(({ calls }) => calls)).toBe(9);
  expect(sum(({ errors }) => errors)).toBe(2);
  expect(hours.every(({ errors }) => errors >= 0)).toBe(true);
});

test('an hour without a record is in the next one', () => {
  const spent = hoursOf(at(4.5, { marks: [mark(1, '1', 1), mark(4, '4', 4)] }));
  expect(spent.map(({ spentUsd }) => spentUsd)).toEqual(['1', '0', '0', '3', '1']);
});

test('two days are compared up to the same hour, if both have a record', () => {
  const marks = [mark(2, '0', 0, 0, dayBefore), mark(3, '7', 6, 0, dayBefore), mark(2, '1.5', 5)];
  expect(yesterdayOf(at(2.5, { marks }))).toEqual({
    until: '2026-11-23T02:00:00.000Z',
    ...{ todayUsd: '1.5', yesterdayUsd: '0', todayCalls: 5, yesterdayCalls: 0 },
  });
  expect(yesterdayOf(at(3.5, { marks }))).toBeNull();
  expect(yesterdayOf(at(0.5, { marks }))).toBeNull();
});
