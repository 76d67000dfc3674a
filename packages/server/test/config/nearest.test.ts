import { expect, test } from 'vitest';
import { nearest } from '../../src/lib/nearest.ts';

const known = ['dailyBudgetUsd', 'models', 'port', 'plans'];

test.each([
  ['dailyBudgetUSD', 'dailyBudgetUsd'],
  ['dailyBugdetUsd', 'dailyBudgetUsd'],
  ['model', 'models'],
  ['prot', undefined],
  ['palns', 'plans'],
  ['pot', 'port'],
  ['budget', undefined],
  ['', undefined],
])('%s is meant to be %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
