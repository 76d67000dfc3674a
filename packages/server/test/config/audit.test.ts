import { expect, test } from 'vitest';
import { configOf, fileWith, problemsOf } from './load.ts';

test.each([
  ['00:00', 0],
  ['03:05', 11_100_000],
  ['23:59', 86_340_000],
])('audit.dailyAt %s is a time of the UTC day', (time, dailyAtMs) => {
  expect(configOf(fileWith(`audit: { dailyAt: "${time}" }\n`)).audit).toEqual({ dailyAtMs });
});

test.each(['24:00', '3:00', '03:60', '03:00:00', 'noon'])('%j is none', (time) => {
  const problems = problemsOf(fileWith(`audit: { dailyAt: "${time}" }\n`));
  expect(problems).toEqual([
    expect.stringMatching(/^audit\.dailyAt: must be a time of a UTC day, such as "03:00"; it is "/),
  ]);
});

test('without a time there is no audit, and the configuration is unchanged', () => {
  const { audit, hash } = configOf(fileWith());
  expect(audit).toBeUndefined();
  expect(configOf(fileWith('audit: {}\n'))).toMatchObject({ hash });
});
