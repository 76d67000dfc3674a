import { expect, test } from 'vitest';
import { dayAfter, dayOf, daysOfMonth } from '../src/data/days.ts';
import { withQuery } from '../src/data/with-query.ts';

test('days are UTC days, months have their first and last day', () => {
  expect(dayOf(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11-30');
  expect([dayAfter('2026-11-30'), dayAfter('2026-03-01', -1)]).toEqual([
    '2026-12-01',
    '2026-02-28',
  ]);
  expect(daysOfMonth('2028-02')).toEqual(['2028-02-01', '2028-02-29']);
});

test('a path has only the parameters with a value', () => {
  expect(withQuery('/calls', { app: 'a&b', model: '', key: undefined })).toBe('/calls?app=a%26b');
  expect(withQuery('/calls', {})).toBe('/calls');
});
