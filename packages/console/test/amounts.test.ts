import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceUsd, shareOf, sumUsd } from '../src/text/amounts.ts';

const pico = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

/** The exact decimal text of an amount, as the service writes it. */
function textOf(amount: bigint): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(13, '0');
  const text = `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
  return amount < 0n ? `-${text}` : text;
}

test('differences and sums of amounts are exact', () => {
  fc.assert(
    fc.property(pico, pico, (a, b) => {
      expect(differenceUsd(textOf(a), textOf(b))).toBe(textOf(a - b));
      expect(sumUsd([textOf(a), textOf(b), '1'])).toBe(textOf(a + b + 10n ** 12n));
    }),
  );
});

test.each([
  ['1', '3', '33.3 %'],
  ['2', '3', '66.6 %'],
  ['0.004', '1', '0.4 %'],
  ['-1', '3', '-33.3 %'],
  ['3', '3', '100.0 %'],
  ['0', '3', '0.0 %'],
  ['1', '0', '–'],
])('%s of %s is %s: a share is cut, not rounded', (part, whole, share) => {
  expect(shareOf(part, whole)).toBe(share);
});
