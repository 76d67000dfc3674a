import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairwise, whole } from './pairs.ts';

interface Row {
  readonly letter: string;
  readonly digit: number;
  readonly isOn: boolean;
  readonly part: object;
}

const parts = [{}, {}, {}];
const rows: fc.Arbitrary<Row> = fc.record({
  letter: fc.constantFrom('a', 'b', 'c', 'd'),
  digit: fc.nat({ max: 4 }),
  isOn: fc.boolean(),
  part: fc.constantFrom(...parts),
});
const factors = ['letter', 'digit', 'isOn', 'part'] as const;

test('every pair of values in a table is in a chosen row', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 60 }), (table) => {
      const chosen = pairwise(table);
      for (const row of table) {
        for (const one of factors) {
          for (const other of factors) {
            const isIn = chosen.some((of) => of[one] === row[one] && of[other] === row[other]);
            expect(isIn, `${one} and ${other}`).toBe(true);
          }
        }
      }
    }),
  );
});

test('rows keep their order, and the choice is always the same', () => {
  fc.assert(
    fc.property(fc.array(rows, { maxLength: 60 }), (table) => {
      const chosen = pairwise(table);
      expect(chosen).toEqual(table.filter((row) => chosen.includes(row)));
      expect(pairwise(table.map((row) => ({ ...row })))).toEqual(chosen);
      expect(whole(table)).toEqual(table);
    }),
  );
});

test('three factors of three values need 9 rows of 27', () => {
  const values = [1, 2, 3];
  const table = values.flatMap((a) => values.flatMap((b) => values.map((c) => ({ a, b, c }))));
  expect(pairwise(table)).toHaveLength(9);
});

test('every value of one factor is chosen', () => {
  const table = [{ only: 'a' }, { only: 'b' }];
  expect(pairwise(table)).toEqual(table);
});
