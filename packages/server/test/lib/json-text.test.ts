import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editJson, type JsonEdit } from '../../src/lib/json-text.ts';

describe('an edited JSON text', () => {
  const rows: readonly [text: string, edit: JsonEdit, edited: string][] = [
    ['{"a":1}', { path: ['a'], json: '2' }, '{"a":2}'],
    ['{ "a" : 1.0 , "b":1e2 }', { path: ['a'], json: '"x"' }, '{ "a" : "x" , "b":1e2 }'],
    ['{"a":1,"b":2}', { path: ['a'], json: undefined }, '{"b":2}'],
    ['{"a":1, "b":2}', { path: ['b'], json: undefined }, '{"a":1}'],
    ['{"a":1}', { path: ['a'], json: undefined }, '{}'],
    ['{"a":[1,2,3]}', { path: ['a', 1], json: undefined }, '{"a":[1,3]}'],
    ['{"a":[1,{"b":"]}"}]}', { path: ['a', 1, 'b'], json: '0' }, '{"a":[1,{"b":0}]}'],
    ['{"\\u0061":1}', { path: ['a'], json: '2' }, '{"\\u0061":2}'],
    ['{"b":"\\"a\\":\\\\","a":1}', { path: ['a'], json: '2' }, '{"b":"\\"a\\":\\\\","a":2}'],
    ['{"a":1}', { path: ['b'], json: '2' }, '{"a":1}'],
    ['{"a":1} ', { path: ['b'], json: '2', isAdded: true }, '{"a":1,"b":2} '],
    [' { }\n', { path: ['b'], json: '2', isAdded: true }, ' { "b":2}\n'],
    ['{"a":1,"a":2}', { path: ['a'], json: '3' }, '{"a":3,"a":3}'],
    ['{"a":"{"}', { path: ['a', 'b'], json: '3' }, '{"a":"{"}'],
    ['[1]', { path: ['a'], json: '3' }, '[1]'],
  ];

  it.each(rows)('%s', (text, edit, edited) => {
    expect(editJson(text, [edit])).toBe(edited);
  });

  it('removes several, and keeps the text between', () => {
    const edits = ['a', 'b', 'd'].map((name) => ({ path: [name], json: undefined }));
    expect(editJson('{"a":1,"b":2,"c":3,"d":4,"e":5}', edits)).toBe('{"c":3,"e":5}');
    expect(editJson('{"a":1,"b":2}', edits)).toBe('{}');
  });

  it('equals a change of the value itself, in any context', () => {
    const names = fc.constantFrom('a', 'b', 'c', '"', '\\', 'é', '}');
    const objects = fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true });
    const changed = fc.option(fc.jsonValue(), { nil: undefined });
    const blanks = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(objects, names, changed, blanks, (object, name, value, blank) => {
        const text = JSON.stringify(object, undefined, blank);
        const json = value === undefined ? undefined : JSON.stringify(value);
        const expected: Record<string, unknown> = { ...object };
        if (value === undefined) delete expected[name];
        else expected[name] = JSON.parse(JSON.stringify(value));
        const edit = { path: [name], json, ...(value !== undefined && { isAdded: true as const }) };
        expect(JSON.parse(editJson(text, [edit]))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});
