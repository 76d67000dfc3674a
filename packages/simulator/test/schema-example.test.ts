import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { exampleOf } from '../src/behaviours/schema-example.ts';

const tree = {
  $ref: '#/definitions/node',
  definitions: {
    node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        left: { $ref: '#/definitions/node' },
        children: { type: 'array', items: { $ref: '#/definitions/node' } },
        parent: { anyOf: [{ $ref: '#/definitions/node' }, { type: 'null' }] },
      },
      required: ['name', 'children', 'parent'],
      additionalProperties: false,
    },
  },
} as const;

const rows = [
  { schema: { type: 'string' }, example: 'text' },
  { schema: { type: 'string', minLength: 8 }, example: 'text....' },
  { schema: { type: 'string', maxLength: 2 }, example: 'te' },
  { schema: { type: 'string', format: 'date' }, example: '2026-01-01' },
  { schema: { enum: ['red', 'green'] }, example: 'red' },
  { schema: { const: { exact: true } }, example: { exact: true } },
  { schema: { type: 'string', pattern: '^a+$', examples: ['aaa'] }, example: 'aaa' },
  { schema: { type: 'integer' }, example: 1 },
  { schema: { type: 'integer', minimum: 3.5 }, example: 4 },
  { schema: { type: 'integer', exclusiveMinimum: 4 }, example: 5 },
  { schema: { type: 'integer', maximum: -3 }, example: -3 },
  { schema: { type: 'integer', exclusiveMaximum: 1 }, example: 0 },
  { schema: { type: 'integer', minimum: 10, multipleOf: 7 }, example: 14 },
  { schema: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, example: 0.5 },
  { schema: { type: 'number', maximum: -1.5 }, example: -2.5 },
  { schema: { type: 'number', minimum: 7 }, example: 8 },
  { schema: { type: 'boolean' }, example: true },
  { schema: { type: 'null' }, example: null },
  { schema: { type: ['null', 'integer'] }, example: 1 },
  { schema: { type: 'array' }, example: ['text'] },
  { schema: { type: 'array', maxItems: 0 }, example: [] },
  {
    schema: { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true },
    example: [1, 2, 3],
  },
  {
    schema: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, uniqueItems: true },
    example: ['a', 'b'],
  },
  {
    schema: { type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true },
    example: ['text', '2 text'],
  },
  { schema: { type: 'object' }, example: {} },
  {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'object', required: ['c'] } },
      required: ['a', 'd'],
      additionalProperties: { type: 'boolean' },
    },
    example: { a: 'a', b: { c: 'c' }, d: true },
  },
  { schema: { anyOf: [{ type: 'integer' }, { type: 'string' }] }, example: 1 },
  { schema: { oneOf: [{ const: 'x' }, { const: 'y' }] }, example: 'x' },
  {
    schema: {
      type: 'object',
      allOf: [
        { properties: { a: { type: 'integer', minimum: 5 } }, required: ['a'] },
        { properties: { a: { type: 'integer', minimum: 9 } } },
      ],
    },
    example: { a: 9 },
  },
  {
    schema: {
      type: 'object',
      properties: { one: { $ref: '#/$defs/a~1b' } },
      $defs: { 'a/b': { type: 'integer' } },
    },
    example: { one: 1 },
  },
  { schema: tree, example: { name: 'name', children: [], parent: null } },
] as const;

test.each(rows)('$schema gives $example, which fits', ({ schema, example }) => {
  const value = exampleOf(schema);
  expect(value).toEqual(example);
  expect(new Ajv({ strict: false, formats: { date: true } }).validate(schema, value)).toBe(true);
});

test('a property named __proto__ is a property', () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}}}');
  expect(JSON.stringify(exampleOf(schema))).toBe('{"__proto__":1}');
});

const hostile = [
  { $ref: '#' },
  { allOf: [{ $ref: '#' }, { $ref: '#' }] },
  { anyOf: [{ $ref: '#' }] },
  { $ref: '#/%/nowhere' },
  { type: 'array', minItems: 1e12, items: { type: 'string', minLength: 100 } },
  { type: 'string', minLength: 1e12 },
  { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] },
  { type: 'object', required: 'a', properties: [] },
];

test.each(hostile)('%j ends', (schema) => {
  expect(JSON.stringify(exampleOf(schema)).length).toBeLessThan(2_000_000);
});
