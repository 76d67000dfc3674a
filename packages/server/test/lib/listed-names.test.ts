import { expect, test } from 'vitest';
import { listedNames } from '../../src/lib/nearest.ts';
import { wallets } from '../../src/operations/wallets/operations.ts';

const names = Array.from({ length: 5_000 }, (_none, n) => `app-${n}`);
const first = names.slice(0, 20).join(', ');

test('a message has 20 names of many, and a count of the others', () => {
  expect(listedNames(names.slice(0, 20))).toBe(first);
  expect(listedNames(names)).toBe(`${first} and 4980 more`);
});

test('the line of reopened wallets is as short', () => {
  const reopen = wallets.find(({ name }) => name === 'wallets reopen');
  const lines = reopen?.lines?.({ restoredAt: '2026-11-29T00:00:00.000Z', apps: names }, {});
  expect(lines).toEqual([`The wallets of ${first} and 4980 more are open.`]);
});
