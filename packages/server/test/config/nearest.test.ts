import { expect, test } from 'vitest';
import { nearest } from '../../src/config/nearest.ts';

const known = ['dailyBudgetUsd', 'models', 'port', 'plans'];

test.each([
  ['dailyBudgetUSD', 'dailyBudgetUsd'],
  ['dailyBugdetUsd', 'dailyBudgetUsd'],
  ['model', 'models'],
  ['prot', undefined],
  ['pot', 'port'],
  ['budget', undefined],
  ['', undefined],
])('%s is meant to be %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
