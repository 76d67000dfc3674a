import type { JsonObject } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { compile } from '../../src/json-schema/compile.ts';
import { isLinearPattern } from '../../src/json-schema/pattern.ts';
import { createPool } from '../../src/json-schema/pool.ts';
import { isStrictSchema } from '../../src/json-schema/schema-entry.ts';
import { createTextCache } from '../../src/json-schema/text-cache.ts';
import { createFairQueue } from '../../src/lib/fair-queue.ts';
import { silentLog } from '../../src/lib/log.ts';

const closed = {
  type: 'object',
  properties: {},
  required: [],
  additionalProperties: false,
} as const;
const withA = (a: JsonObject): JsonObject => ({ ...closed, properties: { a }, required: ['a'] });

describe('the subset that strict platforms support', () => {
  const rows: readonly { readonly schema: JsonObject; readonly isStrict: boolean }[] = [
    { schema: closed, isStrict: true },
    { schema: withA({ type: 'string', format: 'date' }), isStrict: true },
    {
      schema: withA({ type: ['string', 'null'], description: 'd', enum: ['x', null] }),
      isStrict: true,
    },
    {
      schema: withA({ type: 'array', items: { type: 'number', minimum: 0 }, maxItems: 3 }),
      isStrict: true,
    },
    { schema: withA({ anyOf: [{ type: 'string' }, closed] }), isStrict: true },
    { schema: { ...withA({ $ref: '#/$defs/d' }), $defs: { d: closed } }, isStrict: true },
    { schema: { type: 'object' }, isStrict: false },
    { schema: { ...closed, additionalProperties: true }, isStrict: false },
    { schema: { ...withA({ type: 'string' }), required: [] }, isStrict: false },
    { schema: { ...withA({ type: 'string' }), required: ['b'] }, isStrict: false },
    { schema: { ...closed, anyOf: [closed] }, isStrict: false },
    { schema: withA({}), isStrict: false },
    { schema: withA({ type: 'string', pattern: 'a' }), isStrict: false },
    { schema: withA({ type: 'string', minLength: 1 }), isStrict: false },
    { schema: withA({ type: 'string', format: 'uri' }), isStrict: false },
    { schema: withA({ type: 'string', default: 'd' }), isStrict: false },
    { schema: withA({ type: 'array' }), isStrict: false },
    { schema: withA({ type: 'object', properties: {} }), isStrict: false },
    { schema: withA({ allOf: [{ type: 'string' }] }), isStrict: false },
    { schema: withA({ $ref: '#', description: 'd' }), isStrict: false },
    { schema: withA({ anyOf: [{ type: 'object' }] }), isStrict: false },
    { schema: { ...closed, unknown: 1 }, isStrict: false },
  ];
  test.each(rows)('$isStrict: $schema', ({ schema, isStrict }) => {
    expect(isStrictSchema(schema)).toBe(isStrict);
  });
});

describe('a pattern takes time in proportion to the text', () => {
  test.each([
    '',
    'a',
    '^a$',
    '^[A-Z]{2}\\d{4}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^[a-z0-9_-]+$',
    '^\\S.{0,9}$',
    '[^@]@[^@]',
    '\\.json$',
    '^\\+\\d{1,15}$',
    '^a?$',
    '^.*$',
  ])('for certain: %s', (pattern) => {
    expect(isLinearPattern(pattern)).toBe(true);
    expect(() => new RegExp(pattern)).not.toThrow();
  });

  test.each([
    '(a+)+',
    '^(a|b)$',
    'a+',
    '^a+b+',
    'a|b',
    '^a{1,9}b?',
    '(?=a)',
    '\\1',
    '\\bx',
    'a{1000}',
    '^a*?$',
    '[a',
    'a)',
    '\\',
    '{1}',
    '*',
    '^^',
    'a$b',
    '\\u{1F600}',
    '\\p{L}',
    '[[a]]',
    'a'.repeat(257),
    'a{200}b{200}',
    '^*',
  ])('which cannot be determined: %s', (pattern) => {
    expect(isLinearPattern(pattern)).toBe(false);
  });
});

describe('a compiled schema', () => {
  const check = (schema: object, value: unknown) =>
    compile({ text: JSON.stringify(schema), dialect: 'draft-07' }, { isLarge: false })(value);
  const a = (schema: unknown) => ({ properties: { a: schema } });
  const node = { $ref: '#/definitions/node' };

  const rows: readonly { schema: object; value: unknown; at: string | undefined }[] = [
    { schema: a({ type: 'string' }), value: { a: 1 }, at: 'properties.a.type' },
    { schema: { required: ['toString'] }, value: {}, at: 'required' },
    { schema: a(false), value: { a: 1 }, at: 'properties.a.false schema' },
    {
      schema: { definitions: { node: a(node) }, ...node, type: 'object' },
      value: { a: { a: 1 } },
      at: undefined,
    },
    {
      schema: { definitions: { node: { ...a(node), type: 'object' } }, ...node },
      value: { a: { a: 1 } },
      at: 'definitions.node.type',
    },
    { schema: { anyOf: [{ type: 'string' }, { type: 'null' }] }, value: 1, at: 'anyOf' },
    { schema: { items: { enum: [1, 'x'] } }, value: [1, 'y'], at: 'items.enum' },
    { schema: a({ pattern: '^\\@\\-$' }), value: { a: '@-' }, at: undefined },
    {
      schema: a({ type: 'number' }),
      value: { a: Number.POSITIVE_INFINITY },
      at: 'properties.a.type',
    },
    {
      schema: { 'a/b~': 1, properties: { 'a/b~': { type: 'null' } } },
      value: { 'a/b~': 1 },
      at: 'properties.a/b~.type',
    },
    { schema: a({ type: 'string', nullable: true }), value: { a: null }, at: 'properties.a.type' },
    { schema: { $async: true, id: 7 }, value: {}, at: undefined },
    { schema: { enum: [{ toString: null }] }, value: { toString: null }, at: '' },
  ];
  test.each(rows)('$schema reports that $value violates $at', ({ schema, value, at }) => {
    expect(check(schema, value)).toEqual(
      at === undefined ? { kind: 'fits' } : { kind: 'misfit', at },
    );
  });
});

describe('the threads', () => {
  const schema = { text: '{"type":"object"}', dialect: 'draft-07' } as const;
  const pattern = { text: '{"pattern":"^(a+)+$"}', dialect: 'draft-07' } as const;
  const endless = { schema: pattern, value: JSON.stringify(`${'a'.repeat(60)}!`) };

  test('serve others while one of an app runs without end, and recover', async () => {
    const pool = createPool({ log: silentLog });
    const order: string[] = [];
    const run = async (name: string, app: string, ask: Parameters<typeof pool.run>[1]) => {
      const { kind } = await pool.run(app, ask);
      order.push(`${name} ${kind}`);
    };
    await Promise.all([
      run('first', 'one', endless),
      run('its next', 'one', { schema, value: '{}' }),
      run('another’s', 'two', { schema, value: '[]' }),
      run('one more', 'three', { schema, value: undefined }),
    ]);
    expect(order.slice(0, 2).sort()).toEqual(['another’s misfit', 'one more compiled']);
    expect(order.slice(2)).toEqual(['first exhausted', 'its next fits']);
    pool.close();
  });

  test('end with the pool, whatever they run', async () => {
    const pool = createPool({ log: silentLog });
    const ended = pool.run('one', endless);
    await pool.run('two', { schema, value: '{}' });
    pool.close();
    expect(await ended).toEqual({ kind: 'exhausted' });
  });

  test('report why a schema cannot be compiled', async () => {
    const pool = createPool({ log: silentLog });
    const refused = { text: '{"pattern":"("}', dialect: 'draft-07' } as const;
    expect(await pool.run('one', { schema: refused, value: undefined })).toMatchObject({
      kind: 'refused',
      pattern: '(',
    });
    pool.close();
  });
});

test('apps alternate, and none has more than one', () => {
  const queue = createFairQueue<string>();
  const [, leave] = ['a1', 'a2', 'a3', 'a4'].map((work) => queue.add('a', work));
  queue.add('b', 'b1');
  expect([leave?.(), leave?.()]).toEqual([true, false]);
  const nobody = new Set<string>();
  const taken = [nobody, nobody, new Set(['a']), nobody, nobody, nobody].map(queue.take);
  expect(taken).toEqual(['a1', 'b1', undefined, 'a3', 'a4', undefined]);
  expect(queue.isWaiting(nobody)).toBe(false);
});

test('a cache of texts drops the least recently used ones, by number and by length', () => {
  const cache = createTextCache<number>({ entriesMax: 2, charactersMax: 6 });
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([1, undefined, 3]);
  cache.set('ddddd', 4);
  expect(['a', 'c', 'ddddd'].map(cache.get)).toEqual([undefined, 3, 4]);
  cache.delete('ddddd');
  cache.set('eeeee', 5);
  expect(cache.get('c')).toBe(3);
});
