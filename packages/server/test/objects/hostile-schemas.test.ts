import { describe, expect, test } from 'vitest';
import { agentOf } from '../agents/ask.ts';
import { expectClean } from '../support/books.ts';
import { expectNoPlatformText } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { asTold, objectOf, sendInRealTime, told } from './ask.ts';

// Every schema gets a response within the contract, and others get theirs at the same time.
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 1000, burst: 1000, requestsPerDay: 100000 } }
apps: [{ name: search, dailyBudgetUsd: "50" }]
`;
const shared = sharedStack({ yaml, script: asTold });

const of = (schema: object) => ({ type: 'object', ...schema });
const within = (schema: unknown) => of({ properties: { a: schema } });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Schemas that each refer to two others, down to a last one: 2 to the 40th of them. */
const doubling = Object.fromEntries([
  ...times(40, (index) => {
    const next = { $ref: `#/definitions/d${index + 1}` };
    return [`d${index}`, { allOf: [next, next] }] as const;
  }),
  ['d40', { type: 'object' }] as const,
]);
const node = { $ref: '#/definitions/node' };
const both = [{ properties: { c: node } }, { properties: { c: node } }];
const nested = `${'{"c":'.repeat(40)}1${'}'.repeat(40)}`;

const endless = [
  {
    what: 'a pattern that backtracks without end',
    schema: within({ pattern: '^(a+)+$' }),
    text: JSON.stringify({ a: `${'a'.repeat(60)}!` }),
  },
  {
    what: 'references that double at each step',
    schema: of({ $ref: '#/definitions/d0', definitions: doubling }),
    text: '{}',
  },
  {
    what: 'a schema that leads to itself twice',
    schema: of({ ...node, definitions: { node: { allOf: both } } }),
    text: nested,
  },
];

describe('a schema that cannot be checked', () => {
  test.each(endless)('$what', async ({ schema, text }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const request = objectOf('sim-echo', { ...told({ text }), schema, maxTokens: 16_384 });
    let isAnswered = false;
    const hostile = sendInRealTime(stack, '/v1/objects', request, app).finally(() => {
      isAnswered = true;
    });
    // The same app's next request does not wait for it, nor does another app's.
    const ordinary = await sendInRealTime(stack, '/v1/objects', objectOf('sim-echo'), app);
    expect([ordinary.status, isAnswered]).toEqual([200, false]);
    const answer = await hostile;
    expect(answer.body).toMatchObject({ error: { code: 'BAD_OUTPUT', model: 'sim-echo' } });
    expect(answer.text).toContain(
      'takes too long to validate against schema; simplify its patterns',
    );
  });
});

const bounded: readonly {
  what: string;
  schema: object;
  text?: string;
  comesTo: string | number;
}[] = [
  { what: 'a schema that leads to itself', schema: within({ $ref: '#' }), comesTo: 200 },
  {
    what: 'a tree',
    schema: of({ ...node, definitions: { node: of({ properties: { c: { items: node } } }) } }),
    text: '{"c":[{"c":[]},{"c":[{}]}]}',
    comesTo: 200,
  },
  {
    what: 'a tree that a leaf of the answer does not fit',
    schema: of({ ...node, definitions: { node: of({ properties: { c: { items: node } } }) } }),
    text: '{"c":[{"c":[]},{"c":[1]}]}',
    comesTo: 'match schema.definitions.node.type',
  },
  {
    what: 'references that lead to each other and nowhere else',
    schema: within({ ...{ $ref: '#/definitions/x' } }),
    comesTo: 'schema.properties.a.$ref does not resolve',
  },
  {
    what: 'references in a circle',
    schema: of({
      allOf: [{ $ref: '#/definitions/a' }],
      definitions: { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } },
    }),
    text: '{}',
    comesTo: 'INVALID',
  },
  {
    what: 'many properties',
    schema: of({
      properties: Object.fromEntries(times(1_500, (i) => [`p${i}`, { type: 'string' }])),
    }),
    text: '{"p7":"x"}',
    comesTo: 200,
  },
  {
    what: 'thousands of schemas at once',
    schema: of({ allOf: times(2_000, () => ({ minProperties: 0 })) }),
    text: '{}',
    comesTo: 200,
  },
  {
    what: 'thousands of values',
    schema: within({ enum: times(30_000, (i) => i) }),
    text: '{"a":29999}',
    comesTo: 200,
  },
  {
    what: 'a hundred thousand values',
    schema: within({ enum: times(100_000, (i) => i) }),
    comesTo: 'characters; the maximum is 262144',
  },
  {
    what: 'a megabyte',
    schema: within({ description: 'x'.repeat(1_000_000) }),
    comesTo: 'schema has 10000',
  },
  {
    what: 'a chain of references',
    schema: of({
      $ref: '#/definitions/d0',
      definitions: Object.fromEntries(
        times(4_000, (i) => [`d${i}`, i === 3_999 ? {} : { $ref: `#/definitions/d${i + 1}` }]),
      ),
    }),
    text: '{}',
    comesTo: 200,
  },
  {
    what: 'nesting',
    schema: times(100, (i) => i).reduce<object>((inner) => of({ not: inner }), {}),
    comesTo: 'deeper than 64 levels',
  },
  {
    what: 'a pattern that is none',
    schema: within({ pattern: '(((' }),
    comesTo: 'schema.properties.a.pattern is not a valid regular expression',
  },
  {
    what: 'a pattern that is too large for a machine',
    schema: within({ pattern: '(?:(?:a{999}){999}){999}' }),
    text: '{"a":"b"}',
    comesTo: 502,
  },
  {
    what: 'a value with names that every object has',
    schema: within({ enum: [{ toString: null, valueOf: 1 }] }),
    text: '{"a":{"toString":null,"valueOf":1}}',
    comesTo: 'does not match schema; call again',
  },
  {
    what: 'names that every object has',
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"minimum":1},"toString":false},"required":["hasOwnProperty"]}',
    ),
    text: '{"hasOwnProperty":1}',
    comesTo: 200,
  },
  {
    what: 'a required name that every object has',
    schema: of({ required: ['toString'] }),
    text: '{}',
    comesTo: 'match schema.required',
  },
  {
    what: 'a patterned name',
    schema: of({ patternProperties: { '^(x|y)+$': { type: 'string' } } }),
    text: '{"xyx":"z"}',
    comesTo: 200,
  },
  {
    what: 'thousands of objects that must differ',
    schema: within({ uniqueItems: true }),
    text: JSON.stringify({ a: times(5_000, (index) => ({ i: index })) }),
    comesTo: 200,
  },
  {
    what: 'an anchor',
    schema: of({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $defs: { s: { $anchor: 's', type: 'string' } },
      properties: { a: { $ref: '#s' } },
    }),
    text: '{"a":1}',
    comesTo: 'does not match schema',
  },
  {
    what: 'an anchor that is nowhere',
    schema: of({ properties: { a: { $ref: '#nowhere' } } }),
    comesTo: 'schema cannot be compiled',
  },
  {
    what: 'properties that no rule has met',
    schema: of({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      allOf: [{ properties: { a: {} } }],
      unevaluatedProperties: false,
    }),
    text: '{"a":1,"b":2}',
    comesTo: 'match schema.unevaluatedProperties',
  },
];

describe('a schema that is large or unusual', () => {
  test.each(bounded)('$what', async ({ schema, text, comesTo }) => {
    const { stack, newApp } = shared();
    const more = text === undefined ? {} : told({ text });
    const request = objectOf('sim-echo', { ...more, schema, maxTokens: 16_384 });
    const answer = await sendInRealTime(stack, '/v1/objects', request, await newApp());
    expectNoPlatformText(answer);
    expect([200, 400, 502]).toContain(answer.status);
    if (typeof comesTo === 'number') expect(answer.status).toBe(comesTo);
    else expect(answer.text).toContain(comesTo);
  });

  test.each(bounded)('as a tool: $what', async ({ schema, text, comesTo }) => {
    const { stack, newApp } = shared();
    const call = { name: 't', arguments: text ?? '{}' };
    const tools = [{ name: 't', inputSchema: schema }];
    const request = agentOf('sim-echo', {
      ...told({ toolCalls: [call] }),
      tools,
      maxTokens: 16_384,
    });
    const answer = await sendInRealTime(stack, '/v1/agents/run', request, await newApp());
    expect([200, 400, 502]).toContain(answer.status);
    if (typeof comesTo === 'number') expect(answer.status).toBe(comesTo);
  });
});

test('afterwards the ledger is clean', async () => {
  await expectClean(shared().stack);
});
