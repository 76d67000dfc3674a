import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/json-schema/compile.ts';
import { inspect } from '../../src/json-schema/inspect.ts';
import { documents } from './documents.ts';

/** The official meta-schemas, by the library that has them. */
const official = {
  'draft-07': new Ajv({ strict: false, validateFormats: false, logger: false }),
  '2020-12': new Ajv2020({ strict: false, validateFormats: false, logger: false }),
} as const;

test('a schema is valid exactly if the official meta-schema accepts it', () => {
  const count = { sound: 0, problem: 0 };
  fc.assert(
    fc.property(documents, (document) => {
      // No value fits it: the service reports this at once.
      fc.pre(!JSON.stringify(document).includes('"enum":[]'));
      const { kind } = inspect(document);
      count[kind] += 1;
      const dialect = document.$schema === undefined ? 'draft-07' : '2020-12';
      expect(kind === 'sound').toBe(official[dialect].validateSchema(document));
    }),
    { numRuns: 3_000 },
  );
  expect(count.sound).toBeGreaterThan(1_000);
  expect(count.problem).toBeGreaterThan(100);
});

test('a sound schema compiles, and both ways to compile it agree about every value', () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 4, maxLength: 4 });
  const seen = { fits: 0, misfit: 0 };
  fc.assert(
    fc.property(documents, values, (document, tried) => {
      const inspection = inspect(document);
      if (inspection.kind === 'problem' || inspection.weight === Infinity) return;
      const source = { text: JSON.stringify(document), dialect: inspection.dialect };
      const small = compile(source, { isLarge: false });
      const large = compile(source, { isLarge: true });
      for (const value of tried) {
        const { kind } = small(value);
        seen[kind] += 1;
        expect(large(value).kind).toBe(kind);
      }
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(seen.fits, seen.misfit)).toBeGreaterThan(100);
});

test.each([
  { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [false] },
  { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [{ type: 'string' }] },
  { items: [{ type: 'string' }] },
])('what follows a tuple of %j is checked where the array is empty', (tuple) => {
  const document = { ...tuple, contains: { type: 'string' } };
  const inspection = inspect(document);
  if (inspection.kind === 'problem') throw new Error(inspection.text);
  const source = { text: JSON.stringify(document), dialect: inspection.dialect };
  for (const isLarge of [false, true]) {
    expect(compile(source, { isLarge })([]).kind).toBe('misfit');
  }
});

describe('the maximum number of comparisons for an answer', () => {
  const weightOf = (document: object) => {
    const inspection = inspect({ type: 'object', ...document });
    return inspection.kind === 'sound' ? inspection.weight : inspection;
  };
  const string = { type: 'string' };

  test.each([
    {
      what: 'properties do not add up: each is of another value',
      properties: { a: string, b: string },
      weight: 6,
    },
    { what: 'schemas of one value add up', allOf: [string, string, string], weight: 9 },
    { what: 'values count', properties: { a: { enum: [1, [2], { b: 3 }] } }, weight: 8 },
    {
      what: 'a reference counts for what it leads to',
      definitions: { d: { enum: [1, 2, 3] } },
      $ref: '#/definitions/d',
      weight: 10,
    },
    {
      what: 'what nothing refers to counts for nothing',
      definitions: { d: { enum: [1, 2, 3] } },
      weight: 3,
    },
    {
      what: 'a circle has no end',
      properties: { a: { $ref: '#' } },
      weight: Number.POSITIVE_INFINITY,
    },
    {
      what: 'nor has a pattern that may backtrack',
      properties: { a: { pattern: '(a+)+' } },
      weight: Number.POSITIVE_INFINITY,
    },
    { what: 'nor a set of objects', uniqueItems: true, weight: Number.POSITIVE_INFINITY },
    {
      what: 'nor has an id that references start from',
      properties: { a: { $id: 'x' } },
      weight: Number.POSITIVE_INFINITY,
    },
    { what: 'the own id changes nothing', $id: 'https://a.test/b', weight: 3 },
  ])('$what', ({ what: _what, weight, ...document }) => {
    expect(weightOf(document)).toBe(weight);
  });
});
