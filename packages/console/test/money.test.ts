import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutUsd, differenceUsd, exactUsd, shareOf } from '../src/text/money.ts';

/** Any amount of the ledger: whole pico-USD, and its exact decimal text. */
const amounts = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });

function textOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(13, '0');
  const fraction = digits.slice(-12).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -12)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** What a text shows, in pico-USD. */
function unitsIn(shown: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] =
    /^(-?)\$([\d,]+)(?:\.(\d+))?$/.exec(shown) ?? [];
  const size = BigInt(whole.replaceAll(',', '') + fraction.padEnd(12, '0'));
  return sign === '-' ? -size : size;
}

describe('amounts', () => {
  test('are cut to cents, and never rounded', () => {
    fc.assert(
      fc.property(amounts, (units) => {
        const shown = cutUsd(textOf(units));
        const cent = 10n ** 10n;
        if (units !== 0n && units < cent && units > -cent) {
          expect(shown).toBe(units < 0n ? '-<$0.01' : '<$0.01');
        } else {
          expect(shown).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d\d$/);
          expect(unitsIn(shown)).toBe(units - (units % cent));
        }
      }),
    );
  });

  test('are whole where all of them is shown', () => {
    fc.assert(
      fc.property(amounts, (units) => {
        expect(unitsIn(exactUsd(textOf(units)))).toBe(units);
      }),
    );
  });

  test('are taken from each other exactly', () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        expect(differenceUsd(textOf(one), textOf(other))).toBe(textOf(one - other));
      }),
    );
  });

  test.each([
    ['1234.567891', '$1,234.56', '$1,234.567891'],
    ['0', '$0.00', '$0'],
    ['0.009999999999', '<$0.01', '$0.009999999999'],
    ['-0.5', '-$0.50', '-$0.5'],
    ['1000000', '$1,000,000.00', '$1,000,000'],
  ])('%s is %s and %s', (text, cut, exact) => {
    expect([cutUsd(text), exactUsd(text)]).toEqual([cut, exact]);
  });

  test.each([
    ['1', '3', '33 %'],
    ['3', '3', '100 %'],
    ['0.000000000001', '3', '<1 %'],
    ['0', '3', '0 %'],
    ['1', '0', '–'],
  ])('%s of %s is %s', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share);
  });
});
