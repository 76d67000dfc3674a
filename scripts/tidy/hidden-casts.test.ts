import { expect, test } from 'vitest';
import { findHiddenCasts } from './hidden-casts.ts';
import { createProject } from './project.ts';

const path = 'packages/sdk/src/a.ts';

function findingsOf(text: string, ratchet = {}, testPath = path) {
  const list = { path: 'scripts/tidy-ratchet.json', text: JSON.stringify(ratchet) };
  return findHiddenCasts(createProject([{ path: testPath, text }, list]));
}

test.each([
  ['json-parse', 'const a: A = JSON.parse(text);'],
  ['json-parse', 'const { a } = JSON.parse(text);'],
  ['json-parse', 'take(JSON.parse(text));'],
  ['json-parse', 'void { a: JSON.parse(text) };'],
  ['json-parse', 'function a(): A { return JSON.parse(text); }'],
  ['json-parse', 'let a: A; a = JSON.parse(text);'],
  ['json-parse', 'const a = (): A => JSON.parse(text);'],
  ['object-call', 'const { a } = Object(b);'],
  ['reflect', "const a: A = Reflect.get(b, 'a');"],
  ['reflect', 'take(Reflect.apply(b, undefined, []));'],
  ['overload', 'function a(): A;\nfunction a() {}'],
  ['result-generic', 'function a<T>(text: string): T {}'],
  ['result-generic', 'async function a<T>(text: string): Promise<readonly T[]> {}'],
  ['result-generic', 'interface A { read<T>(path: string): T }'],
])('%s: %s', (kind, text) => {
  const line = { path, line: 1, rule: 'hidden-casts' };
  expect(findingsOf(text)).toEqual([
    { ...line, cure: expect.stringMatching(new RegExp(`^${kind}: `)) },
  ]);
});

test.each([
  'const a: unknown = JSON.parse(text);',
  'let a: unknown; a = JSON.parse(text);',
  'JSON.parse(text);',
  'void String(JSON.parse(text));',
  'function a(): unknown { return JSON.parse(text); }',
  'const a = (): unknown => JSON.parse(text);',
  "const isText = typeof Reflect.get(a, 'b') === 'string';",
  "const isFour = Reflect.get(a, 'b') === 4;",
  'void Object.keys(a);',
  "Reflect.set(a, 'b', 1);",
  'function a<T>(parse: (value: unknown) => T, text: string): T {}',
  'declare function a(): A;',
])('%s hides nothing', (text) => {
  expect(findingsOf(text)).toEqual([]);
});

test('tests may cast', () => {
  const testPath = 'packages/sdk/test/a.ts';
  expect(findingsOf('const a: A = JSON.parse(text);', {}, testPath)).toEqual([]);
});

test('the ratchet counts each kind', () => {
  const text = 'void Object(a);\nvoid Object(b);\n';
  const allowed = (count: number) => ({ 'hidden-casts': { 'object-call': count } });
  expect(findingsOf(text, allowed(1)).map(({ line }) => line)).toEqual([1, 2]);
  expect(findingsOf(text, allowed(2))).toEqual([]);
  expect(findingsOf(text, allowed(3))).toMatchObject([{ lower: { key: 'object-call', to: 2 } }]);
});
