import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  differenceUsd,
  exactUsd,
  shareOf,
  shortUsd,
  shownParts,
  sumUsd,
} from '../src/text/money.ts';

/** Any amount of the ledger: whole pico-USD, and its exact decimal text. */
const amounts = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const spent = fc.oneof(
  fc.bigInt({ min: 0n, max: 10n ** 12n }),
  fc.bigInt({ min: 0n, max: 10n ** 17n }),
  fc.constant(0n),
);

function textOf(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(13, '0');
  const fraction = digits.slice(-12).replace(/0+$/, '');
  const sign = units < 0n ? '-' : '';
  return `${sign}${digits.slice(0, -12)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The shown amount in pico-USD. */
function unitsIn(shown: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)\$([\d,]+)\.(\d{2,12})$/.exec(shown) ?? [];
  const size = BigInt(whole.replaceAll(',', '') + fraction.padEnd(12, '0'));
  return sign === '-' ? -size : size;
}

const cent = 10n ** 10n;

describe('amounts', () => {
  test('from $1 are truncated to cents', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 12n, max: 10n ** 24n }), (units) => {
        const shown = shortUsd(textOf(units));
        expect(shown).toMatch(/^\$\d{1,3}(,\d{3})*\.\d\d$/);
        expect(unitsIn(shown)).toBe(units - (units % cent));
      }),
    );
  });

  test('below $1 have their four first digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }), (units) => {
        const shown = unitsIn(shortUsd(textOf(units)));
        expect(shown.toString()).toBe(units.toString().slice(0, 4).padEnd(`${units}`.length, '0'));
      }),
    );
  });

  test('are whole if all of them is shown', () => {
    fc.assert(
      fc.property(amounts, (units) => {
        expect(unitsIn(exactUsd(textOf(units)))).toBe(units);
      }),
    );
  });

  test('are added and subtracted exactly', () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        expect(differenceUsd(textOf(one), textOf(other))).toBe(textOf(one - other));
        expect(sumUsd([textOf(one), textOf(other)])).toBe(textOf(one + other));
      }),
    );
  });

  test.each([
    ['1234.567891', '$1,234.56', '$1,234.567891'],
    ['0', '$0.00', '$0.00'],
    ['0.00000001', '$0.00000001', '$0.00000001'],
    ['12345678.9', '$12,345,678.90', '$12,345,678.90'],
    ['0.00006075', '$0.00006075', '$0.00006075'],
    ['0.02416025', '$0.02416', '$0.02416025'],
    ['0.999999', '$0.9999', '$0.999999'],
    ['-0.5', '-$0.50', '-$0.50'],
  ])('%s is %s and %s', (text, short, exact) => {
    expect([shortUsd(text), exactUsd(text)]).toEqual([short, exact]);
  });

  test.each([
    ['1', '3', '33%'],
    ['3', '3', '100%'],
    ['0.05', '1', '5.0%'],
    ['0.000000000001', '3', '<0.1%'],
    ['0', '3', '0.0%'],
    ['1', '0', '–'],
  ])('%s of %s is %s', (part, whole, share) => {
    expect(shareOf(part, whole)).toBe(share);
  });
});

describe('the shown parts of a total', () => {
  const ledgers = fc.array(spent, { minLength: 1, maxLength: 60 });
  const named = (units: readonly bigint[]) =>
    units.map((one, index) => ({ name: `app-${index}`, usd: textOf(one) }));
  const sumOf = (units: readonly bigint[]) => units.reduce((sum, one) => sum + one, 0n);
  const lastDigitOf = (shown: bigint) =>
    shown === 0n || shown >= 10n ** 12n
      ? cent
      : 10n ** BigInt(shown.toString().length - 1) / 1_000n;

  test('add up to it', () => {
    fc.assert(
      fc.property(ledgers, (units) => {
        const total = unitsIn(shortUsd(textOf(sumOf(units))));
        const sum = sumOf(shownParts(named(units), textOf(sumOf(units))).map(unitsIn));
        expect(sum - total).toBeGreaterThanOrEqual(0n);
        expect(sum - total).toBeLessThan(lastDigitOf(total) || 1n);
      }),
    );
  });

  test('are each within a cent of the exact amount', () => {
    fc.assert(
      fc.property(ledgers, (units) => {
        const shown = shownParts(named(units), textOf(sumOf(units))).map(unitsIn);
        for (const [index, one] of units.entries()) {
          const off = (shown[index] ?? 0n) - one;
          expect(off).toBeLessThanOrEqual(cent);
          expect(off).toBeGreaterThan(-cent);
        }
      }),
    );
  });

  test('are the same in any order', () => {
    fc.assert(
      fc.property(ledgers, (units) => {
        const parts = named(units);
        const total = textOf(sumOf(units));
        expect(shownParts(parts.toReversed(), total)).toEqual(
          [...shownParts(parts, total)].toReversed(),
        );
      }),
    );
  });
});
