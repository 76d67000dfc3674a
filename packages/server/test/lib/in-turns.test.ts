import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachInTurns, sortedInTurns } from '../../src/lib/in-turns.ts';

test('each item is processed in order, and others have their turn in between', async () => {
  const seen: number[] = [];
  let turns = 0;
  const other = setInterval(() => {
    turns += 1;
  }, 0);
  await eachInTurns(Array(200_000).keys(), (item) => void seen.push(item));
  clearInterval(other);
  expect(seen).toEqual([...Array(200_000).keys()]);
  expect(turns).toBeGreaterThan(0);
});

test('items are sorted as an array sorts them, equal ones in their original order', async () => {
  const items = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat()), { maxLength: 9_000 });
  const compare = ([a]: [number, number], [b]: [number, number]) => a - b;
  await fc.assert(
    fc.asyncProperty(fc.array(items, { minLength: 1, maxLength: 3 }), async (parts) => {
      const all = parts.flat();
      expect(await sortedInTurns(all, compare)).toEqual(all.toSorted(compare));
    }),
    { numRuns: 50 },
  );
  const many = Array.from({ length: 20_001 }, (_, index): [number, number] => [
    (index * 7919) % 97,
    index,
  ]);
  expect(await sortedInTurns(many, compare)).toEqual(many.toSorted(compare));
});
