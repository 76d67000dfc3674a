import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addUsd, isUsd, reachesUsd } from '../src/lib/usd.ts';

describe('money of a run is exact', () => {
  const sums = [
    { one: '0.1', other: '0.2', sum: '0.3' },
    { one: '0.999999999999', other: '0.000000000001', sum: '1' },
    { one: '0', other: '0.00', sum: '0' },
    { one: '9007199254740993', other: '0.01', sum: '9007199254740993.01' },
    { one: '100', other: '20', sum: '120' },
    { one: '0.000183', other: '1', sum: '1.000183' },
  ];
  for (const { one, other, sum } of sums) {
    test(`${one} + ${other} = ${sum}`, () => {
      expect(addUsd(one, other)).toBe(sum);
      expect(addUsd(other, one)).toBe(sum);
      expect(reachesUsd(addUsd(one, other), sum)).toBe(true);
    });
  }

  test('for any whole numbers of pico-USD', () => {
    const picos = fc.bigInt({ min: 0n, max: 10n ** 24n });
    const write = (pico: bigint) => {
      const digits = `${pico}`.padStart(13, '0');
      return `${digits.slice(0, -12)}.${digits.slice(-12)}`;
    };
    fc.assert(
      fc.property(picos, picos, (one, other) => {
        const sum = addUsd(write(one), write(other));
        expect(sum).toBe(write(one + other).replace(/\.?0+$/, ''));
        expect(isUsd(sum)).toBe(true);
        expect(reachesUsd(write(one), write(other))).toBe(one >= other);
      }),
    );
  });

  test.each(['', '.5', '5.', '-1', '1e3', ' 1', 'NaN', '0x1', '1,5', '9'.repeat(41), 1, null])(
    '%j is not an amount',
    (value) => {
      expect(isUsd(value)).toBe(false);
    },
  );
});
