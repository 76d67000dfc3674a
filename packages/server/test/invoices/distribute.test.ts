import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distribute } from '../../src/operations/reconcile/reconcile-settle.ts';

test('shares add up to the amount, none above its weight, the first of equal ones first', () => {
  const weights = fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1 });
  fc.assert(
    fc.property(weights, fc.bigInt({ min: 0n, max: 10n ** 15n }), (list, part) => {
      const total = list.reduce((sum, weight) => sum + weight, 0n);
      const amount = part % (total + 1n);
      const shares = distribute(amount, list);
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(amount);
      for (const [index, share] of shares.entries()) {
        expect(share >= 0n && share <= (list[index] ?? 0n)).toBe(true);
      }
    }),
  );
  expect(distribute(2n, [1n, 1n, 1n])).toEqual([1n, 1n, 0n]);
  expect(distribute(5n, [3n, 6n])).toEqual([2n, 3n]);
});
