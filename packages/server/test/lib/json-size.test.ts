import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findExcess, hasLongNumber, type JsonBounds } from '../../src/lib/json-size.ts';

const unbounded = { depthMax: 1e9, valuesMax: 1e9, namesMax: 1e9 };

/** Counts and depth, from a parser. */
function measured(value: unknown, depth = 0): { depth: number; names: number } {
  if (typeof value !== 'object' || value === null) return { depth, names: 0 };
  let [deepest, names] = [depth + 1, Array.isArray(value) ? 0 : Object.keys(value).length];
  for (const item of Object.values(value)) {
    const inner = measured(item, depth + 1);
    deepest = Math.max(deepest, inner.depth);
    names += inner.names;
  }
  return { depth: deepest, names };
}

function excess(text: string, bounds: Partial<JsonBounds>) {
  return findExcess(Buffer.from(text), { ...unbounded, ...bounds });
}

const brackets = '[{":,]}\\"';

describe('the scan of JSON', () => {
  it('finds the depth and the names that a parser finds, for any strings', () => {
    const text = fc
      .array(fc.constantFrom(...brackets, 'a', '\n', 'é', '😀'))
      .map((all) => all.join(''));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double(),
        fc.constant(null),
        fc.array(tie('any')),
        fc.dictionary(text, tie('any')),
      ),
    })).any;
    fc.assert(
      fc.property(value, fc.boolean(), (one, isSpaced) => {
        const json = JSON.stringify(one, null, isSpaced ? 2 : 0);
        const counts = { values: 0, names: 0 };
        expect(findExcess(Buffer.from(json), unbounded, counts)).toBeUndefined();
        const { depth, names } = measured(JSON.parse(json));
        expect(counts.names).toBe(names);
        expect(excess(json, { depthMax: depth })).toBeUndefined();
        if (depth > 0) expect(excess(json, { depthMax: depth - 1 })?.bound).toBe('depth');
        if (names > 0) expect(excess(json, { namesMax: names - 1 })?.bound).toBe('names');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['1', 0],
    ['[]', 1],
    ['[1,2,3]', 3],
    ['{"a":[1,[]],"b":"[,]"}', 5],
  ])('counts the values of %s as at least their number', (json, values) => {
    const counts = { values: 0, names: 0 };
    findExcess(Buffer.from(json), unbounded, counts);
    expect(counts.values).toBe(values);
  });

  it('follows strings of every length, with quotes and backslashes at every place', () => {
    for (let length = 0; length < 100; length++) {
      for (const inner of ['"', '\\', '\\"', '\\\\"', '\\\\']) {
        const text = `${'x'.repeat(length)}${inner}${'y'.repeat(40)}[[[`;
        const counts = { values: 0, names: 0 };
        expect(excess(JSON.stringify([text, text]), { depthMax: 1 })).toBeUndefined();
        findExcess(Buffer.from(JSON.stringify({ [text]: text })), unbounded, counts);
        expect(counts).toEqual({ values: 1, names: 1 });
      }
    }
  });

  it('ends within bytes that are not JSON', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        findExcess(bytes, unbounded);
      }),
    );
    for (const text of ['"', '"\\', '["a', `"${'x'.repeat(100)}`, `"${'x'.repeat(100)}\\"`]) {
      expect(excess(text, {})).toBeUndefined();
    }
  });

  it('finds a number of more than 400 characters, and no string of as many digits', () => {
    const written = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.nat({ max: 450 }).map((digits) => '1'.repeat(digits + 1)),
        fc.constantFrom('', '.5', `.${'1'.repeat(300)}`),
        fc.constantFrom('', 'e5', 'E-30', 'e+300'),
      )
      .map((parts) => parts.join(''));
    const around = fc.constantFrom('', 'x', '\\"', ' '.repeat(500), 'x'.repeat(5_000));
    fc.assert(
      fc.property(fc.array(written, { maxLength: 3 }), written, around, (numbers, digits, text) => {
        const json = `{"${text}":"${digits}", "a" : [${numbers.join(`, `)} ]}`;
        const isLong = numbers.some(({ length }) => length > 400);
        expect(hasLongNumber(json)).toBe(isLong);
        expect(excess(json, {})?.bound).toBe(isLong ? 'number' : undefined);
        expect(hasLongNumber(digits)).toBe(digits.length > 400);
      }),
      { numRuns: 500 },
    );
  });

  it('reports a long number after its 401st character', () => {
    for (const blanks of [0, 10, 20_000]) {
      const json = `[${' '.repeat(blanks)}${'1'.repeat(401)}`;
      expect(excess(json, {})).toEqual({ bound: 'number', at: blanks + 401 });
      expect(excess(json.slice(0, -1), {})).toBeUndefined();
    }
  });

  it('reads the part of a larger buffer that it is given', () => {
    const bytes = Buffer.from('[[[[1]]]]');
    expect(findExcess(bytes.subarray(3, 6), { ...unbounded, depthMax: 1 })).toBeUndefined();
    expect(findExcess(new Uint8Array(bytes), { ...unbounded, depthMax: 3 })).toEqual({
      bound: 'depth',
      at: 3,
    });
  });
});
