import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAmount } from '../../src/invoices/amount.ts';
import { fixture, readFiles } from './read.ts';

const usd = 12;

test('12 decimals are read exactly, in any notation', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }), (pico) => {
      const digits = (pico < 0n ? -pico : pico).toString().padStart(13, '0');
      const sign = pico < 0n ? '-' : '';
      const text = `${sign}${digits.slice(0, -12)}.${digits.slice(-12)}`;
      expect(readAmount(text, usd)).toEqual({ amount: pico, isRounded: false, tolerance: 1n });
      expect(readAmount(`${pico}e-12`, usd)?.amount).toBe(pico);
    }),
  );
});

test('more decimals are rounded half up, and reported', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (milliPico) => {
      const read = readAmount(`${milliPico}e-15`, usd);
      const half = milliPico + 500n;
      const floor = half / 1000n - (half < 0n && half % 1000n !== 0n ? 1n : 0n);
      expect(read).toMatchObject({ amount: floor, isRounded: milliPico % 1000n !== 0n });
    }),
  );
});

test('an invalid amount is rejected', () => {
  for (const text of ['', ' 1', '1,5', '0x1', 'NaN', '1.', '.5', '1e', '9223373', '1e999']) {
    expect(readAmount(text, usd), text).toBeUndefined();
  }
});

test('the lines of a report are the sum of its rows, in any order', async () => {
  const [head = '', first = ''] = fixture('cur.csv').toString().split('\n');
  const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), {
    minLength: 1,
    maxLength: 50,
  });
  await fc.assert(
    fc.asyncProperty(amounts, async (picos) => {
      const rows = picos.map((pico) => first.replace('0.06185055', `${pico}E-12`));
      const read = (lines: readonly string[]) => readFiles([[head, ...lines].join('\n')], 999);
      const total = picos.reduce((sum, pico) => sum + pico, 0n);
      expect((await read(rows)).lines).toMatchObject([{ amount: total }]);
      expect((await read(rows.toReversed())).lines).toMatchObject([{ amount: total }]);
    }),
    { numRuns: 30 },
  );
});

test('rounded amounts are counted', async () => {
  const csv = fixture('cur.csv').toString().replace('0.06185055', '0.0618505512345');
  const { rounded, lines } = await readFiles([csv]);
  expect(rounded).toBe(1);
  expect(lines[1]?.amount).toBe(61_850_551_235n);
});
