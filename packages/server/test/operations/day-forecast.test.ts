import { expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import {
  type DaySoFar,
  dayForecastOf,
  daysLike,
  forecastOf,
  usedUpSince,
} from '../../src/operations/reports/day-forecast.ts';

const hourMs = 3_600_000;
const dayMs = Date.parse('2026-11-23');
const usd = (text: string) => parseUsd(text) ?? 0n;

function at(hour: number, more: Partial<DaySoFar> = {}): DaySoFar {
  return {
    ...{ dayMs, nowMs: dayMs + hour * hourMs, spent: usd('6'), cap: usd('20') },
    ...{ curve: [], like: 'weekdays', isEnabled: true, usedUpMs: undefined },
    ...more,
  };
}

/** Five days of which everything is spent between 8 and 16 o'clock, 10 USD each. */
const office = [8, 12, 16, 24].map((hour) => ({
  ...{ hour, days: 5 },
  cost: usd(['0', '25', '50', '50'][[8, 12, 16, 24].indexOf(hour)] ?? ''),
}));

test('continues evenly without data of earlier days', () => {
  expect(dayForecastOf(at(6))).toEqual({
    exhaustedAt: '2026-11-23T20:00:00.000Z',
    endOfDayUsd: '24',
    basis: 'linear extrapolation of today: fewer than 3 weekdays have data',
  });
});

test('continues as days like it usually do', () => {
  expect(dayForecastOf(at(12, { curve: office }))).toEqual({
    exhaustedAt: null,
    endOfDayUsd: '12',
    basis: 'based on the rest of the day in the last 5 weekdays',
  });
  const { exhaustedAt } = dayForecastOf(at(12, { curve: office, cap: usd('9') }));
  expect(exhaustedAt).toBe('2026-11-23T14:00:00.000Z');
});

test('an hour that some of the days did not record is skipped', () => {
  const holed = [...office.slice(0, 1), { hour: 11, days: 2, cost: 1n }, ...office.slice(1)];
  expect(dayForecastOf(at(12, { curve: holed })).endOfDayUsd).toBe('12');
});

test('before the usual first spend the forecast is linear', () => {
  const { basis } = dayForecastOf(at(3, { curve: office }));
  expect(basis).toBe('linear extrapolation of today: little is usually spent before this hour');
});

test('reports the actual values at both ends', () => {
  expect(dayForecastOf(at(6, { spent: 0n })).basis).toBe('no spending yet');
  expect(dayForecastOf(at(6, { cap: undefined })).exhaustedAt).toBeNull();
  expect(dayForecastOf(at(0)).endOfDayUsd).toBe('518400000');
  expect(dayForecastOf(at(24, { curve: office })).endOfDayUsd).toBe('6');
});

test('a weekday is like the weekdays of two weeks, a day off like those of weekends', () => {
  expect(daysLike(dayMs).days).toHaveLength(10);
  expect(daysLike(dayMs).days[0]).toBe('2026-11-20');
  expect(daysLike(dayMs - 86_400_000)).toMatchObject({ like: 'weekend days' });
  expect(daysLike(dayMs - 86_400_000).days).toEqual([
    ...['2026-11-21', '2026-11-15', '2026-11-14', '2026-11-08'],
  ]);
});

test('a used-up budget has the time at which that was seen, whenever it is read', () => {
  const usedUp = { cap: usd('6'), usedUpMs: dayMs + 5 * hourMs };
  for (const hour of [5, 6, 23.5]) {
    expect(dayForecastOf(at(hour, usedUp)).exhaustedAt).toBe('2026-11-23T05:00:00.000Z');
    expect(usedUpSince(at(hour, usedUp))).toBe('2026-11-23T05:00:00.000Z');
  }
  // Not seen yet; and a limit that was raised since.
  expect(dayForecastOf(at(6, { cap: usd('6') })).exhaustedAt).toBeNull();
  expect(usedUpSince(at(6, { ...usedUp, cap: usd('7') }))).toBeNull();
  expect(usedUpSince(at(6, { ...usedUp, cap: undefined }))).toBeNull();
});

test('a disabled app has no forecast', () => {
  const disabled = { isEnabled: false, cap: usd('6'), usedUpMs: dayMs };
  expect(dayForecastOf(at(6, disabled))).toEqual({
    ...{ exhaustedAt: null, endOfDayUsd: '6', basis: 'the app is disabled' },
  });
});

test('the forecast of a day ends at the total of all apps by midnight', () => {
  const apps = [
    at(21.5),
    at(21.5, { curve: office, spent: usd('7.000000000001') }),
    at(21.5, { isEnabled: false, spent: usd('1') }),
    at(21.5, { spent: 0n }),
  ];
  const sum = apps.reduce((all, app) => all + usd(dayForecastOf(app).endOfDayUsd), 0n);
  const forecast = forecastOf(apps);
  expect(forecast.map(({ hour }) => hour)).toEqual([22, 23, 24]);
  expect(usd(forecast.at(-1)?.spentUsd ?? '')).toBe(sum);
  // Evenly for the first one, and complete for the others.
  expect(usd(forecast[0]?.spentUsd ?? '')).toBe(
    (usd('6') * 22n * 2n) / 43n + usd('7.000000000001') + usd('1'),
  );
  expect(forecastOf([at(6, { spent: 0n })])).toEqual([]);
});
