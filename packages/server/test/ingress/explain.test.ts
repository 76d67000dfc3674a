import Type, { type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { chatBody } from '../../src/ingress/dialects/gateway/body/schemas.ts';
import { compiledFits } from '../../src/lib/compiled-fits.ts';
import { explain, joinPath } from '../../src/lib/explain.ts';
import { chatOf } from '../support/exchange.ts';

const strict = { additionalProperties: false } as const;

const rows = [
  { schema: Type.String(), value: 7, path: '', text: 'must be a string; it is 7' },
  { schema: Type.String({ minLength: 1 }), value: '', path: '', text: 'must not be empty' },
  {
    schema: Type.String({ maxLength: 2 }),
    value: 'äöü',
    path: '',
    text: 'takes at most 2 characters; it has 3',
  },
  {
    schema: Type.String({ pattern: '^a$', rule: 'one a' }),
    value: 'b'.repeat(50),
    path: '',
    text: `must be one a; it is "${'b'.repeat(40)}…"`,
  },
  { schema: Type.Integer(), value: 1.5, path: '', text: 'must be a whole number; it is 1.5' },
  { schema: Type.Number(), value: '1', path: '', text: 'must be a number; it is "1"' },
  {
    schema: Type.Number({ minimum: 0, maximum: 2 }),
    value: 3,
    path: '',
    text: 'must be a number from 0 to 2; it is 3',
  },
  {
    schema: Type.Number({ exclusiveMinimum: 0 }),
    value: 0,
    path: '',
    text: 'must be a number above 0; it is 0',
  },
  {
    schema: { enum: ['dearest', 'free'] },
    value: 'dearst',
    path: '',
    text: 'must be one of dearest, free; it is "dearst"; did you mean "dearest"?',
  },
  {
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    value: { a: 'b', c: 1 },
    path: 'c',
    text: 'must be a string; it is 1',
  },
  { schema: Type.Boolean(), value: 1, path: '', text: 'must be true or false; it is 1' },
  {
    schema: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    value: 0,
    path: '',
    text: 'must be a whole number of at least 1; it is 0',
  },
  {
    schema: Type.Union([Type.Boolean(), Type.Null()]),
    value: 'yes',
    path: '',
    text: 'must be true or false or null; it is "yes"',
  },
  {
    schema: Type.Object({ a: Type.Union([Type.Boolean(), Type.Null()]), b: Type.Number() }),
    value: { a: true, b: null },
    path: 'b',
    text: 'must be a number; it is null',
  },
  { schema: Type.Literal('a'), value: 'b', path: '', text: 'must be "a"; it is "b"' },
  {
    schema: Type.Array(Type.String()),
    value: {},
    path: '',
    text: 'must be a list; it is an object',
  },
  {
    schema: Type.Array(Type.String(), { maxItems: 1 }),
    value: ['a', 'b'],
    path: '',
    text: 'takes at most 1 entries; it has 2',
  },
  {
    schema: Type.Array(Type.String()),
    value: ['a', null],
    path: '[1]',
    text: 'must be a string; it is null',
  },
  { schema: Type.Object({}, strict), value: null, path: '', text: 'must be an object; it is null' },
  { schema: Type.Object({}, strict), value: [], path: '', text: 'must be an object; it is a list' },
  {
    schema: Type.Object({ a: Type.String(), b: Type.String() }, strict),
    value: { c: 1 },
    path: 'c',
    text: 'is an unknown field; write one of a, b',
  },
  {
    schema: Type.Object({ maxTokens: Type.Number(), model: Type.String() }, strict),
    value: { maxToken: 1 },
    path: 'maxToken',
    text: 'is an unknown field; did you mean "maxTokens"? The fields are maxTokens, model',
  },
  {
    schema: Type.Object({}, strict),
    value: { a: 1 },
    path: 'a',
    text: 'is an unknown field; remove it',
  },
  {
    schema: Type.Object({ a: Type.String() }, strict),
    value: {},
    path: 'a',
    text: 'is missing',
  },
  {
    schema: Type.Object({ a: Type.Object({ b: Type.Array(Type.Number()) }, strict) }, strict),
    value: { a: { b: [1, 'x'] } },
    path: 'a.b[1]',
    text: 'must be a number; it is "x"',
  },
  {
    schema: Type.Union([Type.String(), Type.Array(Type.String())]),
    value: 7,
    path: '',
    text: 'must be a string or a list; it is 7',
  },
  {
    schema: Type.Union([Type.String(), Type.Array(Type.String())]),
    value: [7],
    path: '[0]',
    text: 'must be a string; it is 7',
  },
  {
    schema: Type.Union([
      Type.Object({ kind: Type.Literal('a'), x: Type.Number() }, strict),
      Type.Object({ kind: Type.Literal('b'), y: Type.Number() }, strict),
    ]),
    value: { kind: 'b', x: 1 },
    path: 'x',
    text: 'is an unknown field; write one of kind, y',
  },
  {
    schema: Type.Union([
      Type.Object({ kind: Type.Literal('a') }, strict),
      Type.Object({ kind: Type.Literal('b') }, strict),
    ]),
    value: {},
    path: 'kind',
    text: 'must be one of "a", "b"; it is missing',
  },
] as const;

test.each(rows)('$path $text', ({ schema, value, path, text }) => {
  expect(explain(schema, value)).toEqual({ path, text });
});

test('a valid value has no problem', () => {
  expect(explain(chatBody, chatOf('sim-echo'))).toBeUndefined();
});

test('the input of a tool call can be any value, next to any other fault', () => {
  const toolCalls = [1, [1], null, 'a', {}].map((input) => ({ id: 'a', name: 'n', input }));
  const value = { ...chatOf('sim-echo'), messages: [{ role: 'assistant', toolCalls }] };
  expect(explain(chatBody, value)).toBeUndefined();
  expect(explain(chatBody, { ...value, maxTokens: 0 })?.path).toBe('maxTokens');
});

describe('characters are counted as by the check', () => {
  const check = Compile(chatBody);
  test.each([
    ['128 letters', 'a'.repeat(128), true],
    ['129 letters', 'a'.repeat(129), false],
    ['128 emoji', '😀'.repeat(128), true],
    ['129 emoji', '😀'.repeat(129), false],
    ['128 marks on letters', 'e\u0301'.repeat(64), true],
    ['130 marks on letters', 'e\u0301'.repeat(65), false],
    ['families', '👨‍👩‍👧‍👦'.repeat(30), false],
  ])('%s', (_, model, fits) => {
    const value = chatOf(model);
    expect(check.Check(value)).toBe(fits);
    expect(explain(chatBody, value) === undefined).toBe(fits);
  });
});

describe('steps', () => {
  const taken = (schema: TSchema, value: unknown) => {
    const steps = { remaining: 1_000 };
    const problem = explain(schema, value, { steps, fits: compiledFits });
    return { steps: 1_000 - steps.remaining, problem };
  };
  const part = { type: 'text', text: 'a' };
  const long = (length: number) => [
    ...Array.from({ length }, () => ({ role: 'user', content: 'a' })),
    { role: 'user', content: Array.from({ length }, () => part) },
  ];

  test.each([2_000, 4_000, 8_000])('do not grow with %i valid items', (length) => {
    const value = { ...chatOf('sim-echo'), messages: long(length) };
    expect(taken(chatBody, { ...value, maxTokens: 0 })).toMatchObject({
      steps: expect.toSatisfy((steps: number) => steps <= 20),
      problem: { path: 'maxTokens' },
    });
    const last = { role: 'user', content: [...Array.from({ length }, () => part), 7] };
    expect(taken(chatBody, { ...value, messages: [...long(length), last] })).toMatchObject({
      steps: expect.toSatisfy((steps: number) => steps <= 20),
      problem: { path: `messages[${length + 1}].content[${length}]` },
    });
  });

  test('end after 1,000, with the general message', () => {
    // An item that is invalid and has no message: each takes a step.
    const schema = Type.Array(Type.Unsafe({ not: { type: 'number' } }));
    const general = { path: '', text: 'does not match the schema of the route' };
    expect(
      taken(
        schema,
        Array.from({ length: 998 }, () => 1),
      ).problem,
    ).toBeUndefined();
    for (const length of [2_000, 200_000]) {
      const value = Array.from({ length }, () => 1);
      expect(taken(schema, value)).toEqual({ steps: 1_000, problem: general });
    }
  });
});

test('a path that is too long to repeat is shortened', () => {
  expect(joinPath('a', 'b'.repeat(81))).toBe(`a.${'b'.repeat(80)}…`);
  expect(joinPath('', 'b')).toBe('b');
  expect(joinPath('a', 7)).toBe('a[7]');
});
