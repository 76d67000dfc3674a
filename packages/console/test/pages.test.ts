import type { KeyInUse } from '@model-gateway/server/operations/documents';
import { expect, test } from 'vitest';
import { nextOf } from '../src/pages/keys/rotate.tsx';
import { askedOf, callsOf } from '../src/pages/spend/asked.ts';
import { roundValues } from '../src/parts/chart-plot.ts';
import { changedFields } from '../src/parts/diff.tsx';

const now = Date.parse('2026-11-23T09:00:00Z');

test('spending is of this month by model where the address says nothing', () => {
  const asked = { app: '', model: '', by: 'model', compare: false };
  expect(askedOf({}, now)).toEqual({
    ...asked,
    ...{ range: 'month', from: '2026-11-01', to: '2026-11-30' },
  });
  expect(askedOf({ month: '2026-02', by: 'project' }, now)).toMatchObject({
    ...{ by: 'project', from: '2026-02-01', to: '2026-02-28' },
  });
  expect(askedOf({ range: 'week' }, now)).toMatchObject({ from: '2026-11-17', to: '2026-11-23' });
  expect(askedOf({ from: '2026-11-02', to: '2026-11-03' }, now)).toMatchObject({
    ...{ range: 'days', from: '2026-11-02', to: '2026-11-03' },
  });
});

test('a row of spending leads to its calls where these can be found by it', () => {
  const asked = askedOf({ month: '2026-11', app: 'search' }, now);
  expect(callsOf(asked, 'gpt-5.4')).toBe(
    '/console/calls?app=search&model=gpt-5.4&since=2026-11-01T00%3A00%3A00Z&until=2026-12-01T00%3A00%3A00Z',
  );
  expect(callsOf({ ...asked, by: 'project' }, 'acme-search')).toBeUndefined();
  expect(callsOf({ ...asked, by: 'day' }, '2026-11-04')).toContain('since=2026-11-04');
});

test.each([
  [0, [0, 1]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [38, [0, 10, 20, 30, 40]],
  [1_234, [0, 500, 1_000, 1_500]],
])('an axis up to %d has the round values %j', (greatest, values) => {
  expect(roundValues(greatest)).toEqual(values);
});

test('a change shows the fields that differ, and texts that are no documents whole', () => {
  const before = '{"name":"search","cap":"5","models":["a"]}';
  const after = '{"name":"search","cap":"20","models":["a","b"]}';
  expect(changedFields(before, after)).toEqual([
    ['cap', '5', '20'],
    ['models', '["a"]', '["a","b"]'],
  ]);
  expect(changedFields(null, '{"cap":"5"}')).toEqual([['cap', null, '5']]);
  expect(changedFields('5', '20')).toBeUndefined();
  expect(changedFields('{broken', '{}')).toBeUndefined();
});

test('a key is followed by the newest of its line, and by none of another', () => {
  const key = (id: string, day: number, rotatedFrom?: string): KeyInUse => ({
    ...{ id, name: 'n', customerId: 'c', role: 'user', enabled: true },
    createdAt: `2026-11-0${day}T00:00:00Z`,
    ...(rotatedFrom === undefined ? {} : { rotatedFrom }),
    ...{ lastUsedAt: null, callsToday: 0, spentTodayUsd: null },
  });
  const [first, second, third] = [key('k1', 1), key('k2', 2, 'k1'), key('k3', 3, 'k1')];
  const keys = [first, third, second, key('k9', 4), key('k10', 5, 'k9')];
  expect(nextOf(first, keys)).toBe(third);
  expect(nextOf(second, keys)).toBe(third);
  expect(nextOf(third, keys)).toBeUndefined();
});
