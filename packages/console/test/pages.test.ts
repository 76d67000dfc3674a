import { expect, test } from 'vitest';
import { callsOf, spendQueryOf } from '../src/pages/spend/spend-query.ts';
import { roundValues } from '../src/parts/chart-plot.ts';
import { changesOf } from '../src/text/audit-words.ts';

const now = Date.parse('2026-11-23T09:00:00Z');

test('spending is of this month by app by default', () => {
  expect(spendQueryOf({}, now)).toMatchObject({
    ...{ app: '', model: '', by: 'app', compare: false, today: '2026-11-23' },
    ...{ range: 'month', from: '2026-11-01', to: '2026-11-30' },
  });
  expect(spendQueryOf({ month: '2026-02', by: 'project' }, now)).toMatchObject({
    ...{ by: 'project', from: '2026-02-01', to: '2026-02-28' },
  });
  expect(spendQueryOf({ range: 'week' }, now)).toMatchObject({
    from: '2026-11-17',
    to: '2026-11-23',
  });
  expect(spendQueryOf({ from: '2026-11-02', to: '2026-11-03' }, now)).toMatchObject({
    ...{ range: 'days', from: '2026-11-02', to: '2026-11-03' },
  });
});

test('a row of spending leads to its calls if they can be filtered by it', () => {
  const spendQuery = spendQueryOf({ month: '2026-11', app: 'search' }, now);
  expect(callsOf(spendQuery, ['model'], ['gpt-5.4'])).toBe(
    '/console/calls?app=search&model=gpt-5.4&since=2026-11-01T00%3A00%3A00Z&until=2026-12-01T00%3A00%3A00Z',
  );
  expect(callsOf(spendQuery, ['project'], ['acme-search'])).toBeUndefined();
  expect(callsOf(spendQuery, ['day'], ['2026-11-04'])).toContain('since=2026-11-04');
});

test.each([
  [0, [0, 1]],
  [0.3, [0, 0.1, 0.2, 0.3]],
  [38, [0, 20, 40]],
  [1_234, [0, 500, 1_000, 1_500]],
])('an axis up to %d has the round values %j', (greatest, values) => {
  expect(roundValues(greatest)).toEqual(values);
});

test('a change shows the differing fields, and texts that are not documents whole', () => {
  const of = (before: string | null, after: string | null) =>
    changesOf({ action: 'app.update', before, after });
  const before = '{"name":"search","capUsd":"5","models":["a"]}';
  const after = '{"name":"search","capUsd":"20","models":["a","b"]}';
  expect(of(before, after)).toEqual([
    { name: 'limit', before: '$5.00', after: '$20.00' },
    { name: 'models', before: 'a', after: 'a, b' },
  ]);
  expect(of(null, '{"capUsd":"5"}')).toEqual([{ name: 'limit', before: null, after: '$5.00' }]);
  expect(of('5', '20')).toEqual([{ name: '', before: '5', after: '20' }]);
  expect(of('{broken', '{}')).toEqual([{ name: '', before: '{broken', after: null }]);
});
