import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../src/json-schema/compile.ts';

const source = { text: '{"uniqueItems":true}', dialect: '2020-12' } as const;
const isUnique = compile(source, { isLarge: false });

test('items are unique where no two are equal', () => {
  const item = fc.jsonValue({ maxDepth: 2 });
  const alike = [1, '1', null, true, [], {}, { a: 1, b: 2 }, { b: 2, a: 1 }, [1], ['1'], -0, 0];
  const few = fc.array(fc.constantFrom(...alike), { maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(fc.array(item, { maxLength: 4 }), few), (written) => {
      const items: readonly unknown[] = JSON.parse(JSON.stringify(written));
      const hasEqual = items.some((one, index) =>
        items.slice(0, index).some((other) => isDeepStrictEqual(one, other)),
      );
      expect(isUnique(items).kind).toBe(hasEqual ? 'misfit' : 'fits');
    }),
  );
});

test('names that every object has are names', () => {
  const items: unknown = JSON.parse('[{"__proto__":1},{"__proto__":2},{"constructor":1}]');
  expect(isUnique(items)).toEqual({ kind: 'fits' });
  expect(isUnique(JSON.parse('[{"__proto__":1},{"__proto__":1}]')).kind).toBe('misfit');
});
