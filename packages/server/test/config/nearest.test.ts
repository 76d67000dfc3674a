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
  ['p', undefined],
  [`models${'x'.repeat(1_000_000)}`, undefined],
])('%s suggests %s', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});
