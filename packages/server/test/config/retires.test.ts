import { expect, test } from 'vitest';
import { configOf, fileWith, problemsOf } from './load.ts';

const fileWithRow = (row: string) =>
  fileWith(`models:\n  - { id: a, platform: sandbox, ${row} }\n`);

test.each(['2027-03-31', '"2028-02-29"'])('a row can retire on %s', (day) => {
  const { models } = configOf(fileWithRow(`retires: ${day}`));
  expect(models[0]?.retires).toBe(day.replaceAll('"', ''));
});

test('a row without the key has no such day', () => {
  expect(configOf(fileWithRow('images: true')).models[0]).not.toHaveProperty('retires');
});

test.each(['2027-02-29', '2027-3-1', '2027-03-31T00:00Z', 'soon', '20270331', 'true'])(
  'the day %s is rejected',
  (day) => {
    expect(problemsOf(fileWithRow(`retires: "${day}"`))).toEqual([
      `models[0].retires: must be a UTC day such as 2026-11-21; it is "${day}"`,
    ]);
  },
);

test('a list of days is rejected', () => {
  expect(problemsOf(fileWithRow('retires: [2027-03-31]'))).toEqual([
    'models[0].retires: must be a single value, not a list or a section',
  ]);
});
