import { describe, expect, test } from 'vitest';
import { expectBooks } from '../support/books.ts';
import { expectError } from '../support/expect-answer.ts';
import { sharedStack } from '../support/shared-stack.ts';
import { objectOf, sendInRealTime, sendTo } from './ask.ts';

const shared = sharedStack();

const of = (schema: object) => ({ schema: { type: 'object', ...schema } });
const within = (schema: unknown) => of({ properties: { a: schema } });
const draft2020 = 'https://json-schema.org/draft/2020-12/schema';

const rows: readonly { readonly says: string; readonly more: object }[] = [
  { says: 'schema is missing', more: { schema: undefined } },
  { says: 'schema must be an object; it is null', more: { schema: null } },
  { says: 'schema must be an object; it is a list', more: { schema: [] } },
  { says: 'schema must be an object; it is true', more: { schema: true } },
  { says: 'schema must be an object; it is "{}"', more: { schema: '{}' } },
  { says: 'schema.type must be "object"; it is missing', more: { schema: {} } },
  {
    says: 'schema.type must be "object"; it is "array"',
    more: { schema: { type: 'array' } },
  },
  {
    says: 'schema.type must be "object"; it is a list',
    more: of({ type: ['object'] }),
  },
  { says: 'schemaName must not be empty', more: { schemaName: '' } },
  {
    says: 'schemaName takes at most 64 characters; it has 65',
    more: { schemaName: 'n'.repeat(65) },
  },
  { says: 'schemaName must be a word of ASCII letters, digits', more: { schemaName: 'a.b' } },
  { says: 'schemaDescription must be a string', more: { schemaDescription: 1 } },
  { says: 'strict is an unknown field', more: { strict: true } },
  { says: 'tools is an unknown field', more: { tools: [] } },
  { says: 'schema.$schema must be a string', more: of({ $schema: 7 }) },
  {
    says: 'schema.$schema must be "http://json-schema.org/draft-07/schema#" or',
    more: of({ $schema: 'http://json-schema.org/draft-04/schema#' }),
  },
  { says: 'schema.properties must be an object; it is a list', more: of({ properties: [] }) },
  {
    says: 'schema.properties.a must be a schema: an object, true or false',
    more: within('string'),
  },
  {
    says: 'schema.properties.a.type must be array, boolean, integer',
    more: within({ type: 'text' }),
  },
  { says: 'schema.properties.a.type needs at least 1 entry', more: within({ type: [] }) },
  { says: 'schema.properties.a.minimum must be a number', more: within({ minimum: '1' }) },
  { says: 'schema.properties.a.minLength must be a whole number', more: within({ minLength: -1 }) },
  {
    says: 'schema.properties.a.multipleOf must be a number above 0',
    more: within({ multipleOf: 0 }),
  },
  {
    says: 'schema.properties.a.exclusiveMinimum must be a',
    more: within({ exclusiveMinimum: true }),
  },
  { says: 'schema.properties.a.enum needs at least 1 entry', more: within({ enum: [] }) },
  { says: 'schema.properties.a.anyOf needs at least 1 entry', more: within({ anyOf: [] }) },
  { says: 'schema.properties.a.anyOf[1] must be a schema', more: within({ anyOf: [{}, 1] }) },
  {
    says: 'schema.properties.a.required must not contain the same value twice',
    more: within({ required: ['x', 'x'] }),
  },
  {
    says: 'schema.properties.a.pattern is not a valid regular expression',
    more: within({ pattern: '[z-a]' }),
  },
  {
    says: 'schema.properties.a.pattern contains a pattern of more than 4096',
    more: within({ pattern: 'a'.repeat(4_097) }),
  },
  {
    says: 'schema.properties.a.type[0] must be one of array, boolean, integer, null, number, object, string; it is "sting"; did you mean "string"?',
    more: within({ type: ['sting'] }),
  },
  { says: 'schema.properties.a.not must be a schema', more: within({ not: null }) },
  { says: 'schema.items[0] must be a schema', more: of({ items: [1] }) },
  { says: 'schema.items must be a schema', more: of({ $schema: draft2020, items: [{}] }) },
  {
    says: 'schema.prefixItems needs at least 1 entry',
    more: of({ $schema: draft2020, prefixItems: [] }),
  },
  {
    says: 'schema.dependentRequired.a must be a list; it is 1',
    more: of({ $schema: draft2020, dependentRequired: { a: 1 } }),
  },
  {
    says: 'schema.dependencies.a[0] must be a string; it is 1',
    more: of({ dependencies: { a: [1] } }),
  },
  { says: 'schema.properties.a.$ref must be a string', more: within({ $ref: 1 }) },
  {
    says: 'schema.properties.a.$ref points outside the schema, to "https://a.test/b#/c"',
    more: within({ $ref: 'https://a.test/b#/c' }),
  },
  { says: 'schema.properties.a.$ref points outside the schema', more: within({ $ref: 'b.json' }) },
  {
    says: 'schema.properties.a.$ref points outside the schema',
    more: within({ $ref: '/etc/passwd' }),
  },
  { says: 'schema.properties.a.$ref does not resolve', more: within({ $ref: '#/definitions/b' }) },
  { says: 'schema.properties.a.$ref does not resolve', more: within({ $ref: '#/__proto__' }) },
  { says: 'schema.properties.a.$ref does not resolve', more: within({ $ref: '#/constructor' }) },
  {
    says: 'schema.x.type must be array, boolean',
    more: of({ x: { type: 'y' }, properties: { a: { $ref: '#/x' } } }),
  },
  { says: 'schema has 300', more: within({ description: 'x'.repeat(300_000) }) },
];

describe('a body is rejected with the path of its problem, before any money is reserved', () => {
  test.each(rows)('$says', async ({ says, more }) => {
    const { stack } = shared();
    const refused = await sendTo(stack, '/v1/objects', { ...objectOf('sim-echo'), ...more });
    expectError(refused, { status: 400, code: 'INVALID', says: [says] });
    await expectBooks(stack, 'search', { calls: [], billedUsd: '0' });
  });
});

describe('unknown keywords are accepted, as in JSON Schema', () => {
  test.each([
    [{ unknown: { type: 'text' }, 'x-type': 7 }],
    [{ properties: { a: { type: 'string', format: 'no such format' } } }],
    [{ properties: { a: { type: 'string', nullable: false, discriminator: 1, example: [] } } }],
    [{ $async: true, id: 7, $id: 'no URI at all', $anchor: ' ' }],
    [{ prefixItems: 7, $defs: 7, dependentRequired: 7 }],
    [{ $schema: 'http://json-schema.org/draft-07/schema' }],
    [{ $schema: `${draft2020}#`, $defs: { a: {} }, definitions: { b: true } }],
    [
      {
        components: { schemas: { A: { type: 'string' } } },
        properties: { a: { $ref: '#/components/schemas/A' } },
      },
    ],
    [{ properties: { $ref: { type: 'string' }, enum: { enum: [{ $ref: 'http://a.test' }] } } }],
    [{ properties: { 'a/b~c %': { type: 'string' }, d: { $ref: '#/properties/a~1b~0c%20%25' } } }],
  ])('%j', async (schema) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const answer = await sendInRealTime(
      stack,
      '/v1/objects',
      objectOf('sim-echo', of(schema)),
      app,
    );
    expect(answer.body).toMatchObject({ object: {} });
  });
});
