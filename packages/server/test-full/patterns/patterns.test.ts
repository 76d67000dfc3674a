import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { parseSource } from '../../../../scripts/tidy/source.ts';
import { checkPattern } from './check.ts';
import { collectPatterns, patternsInJson } from './collect.ts';
import { bounded, dynamic } from './listed.ts';

// Every regular expression of the product takes linear time, or is listed with the limit that
// makes it safe. A result holds for its text on every machine, so it is stored in checked.json and
// only new texts are checked.
//
// UPDATE_GOLDEN=1 npx vitest run --project=rest packages/server/test-full/patterns
// rewrites that file. It keeps known results; a pattern that is not linear fails all the same.

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const storedPath = join(import.meta.dirname, 'checked.json');
const stored: Readonly<Record<string, string>> = JSON.parse(readFileSync(storedPath, 'utf8'));

const paths = globSync('packages/*/src/**/*.{ts,tsx,js}', { cwd: root }).toSorted();
const patterns = collectPatterns(paths.map((path) => parseSource({ path, text: textOf(path) })));
const documents = ['gateway.schema.json', 'docs/openapi.json'];
const inDocuments = documents.flatMap((path) =>
  patternsInJson(JSON.parse(textOf(path))).map((text) => [text, path] as const),
);
const places = new Map([...inDocuments, ...patterns.texts]);
const results = new Map<string, string>();

afterAll(() => {
  if (process.env.UPDATE_GOLDEN !== '1') return;
  const sorted = [...results].toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(storedPath, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
});

test('every pattern takes linear time, or is listed with its limit', () => {
  const wrong: string[] = [];
  for (const [text, place] of places) {
    const result = stored[text] ?? checkPattern(text);
    results.set(text, result);
    if (!isLinear(result) && bounded[text] === undefined) wrong.push(`${place} ${text}: ${result}`);
  }
  expect(wrong, 'rewrite them, or list them with the limit that makes them safe').toEqual([]);
});

test('checked.json has the patterns of today', () => {
  if (process.env.UPDATE_GOLDEN === '1') return;
  const rule = 'UPDATE_GOLDEN=1 npx vitest run --project=rest packages/server/test-full/patterns';
  expect(Object.keys(stored).toSorted(), rule).toEqual([...places.keys()].toSorted());
});

test('each listed pattern exists, and needs its line', () => {
  const needed = [...places.keys()].filter((text) => !isLinear(stored[text] ?? 'safe'));
  expect(Object.keys(bounded).toSorted()).toEqual(needed.toSorted());
  const known = patterns.dynamic.map(({ path, written }) => {
    return `${path.replace('packages/server/src/', '')}: ${written}`;
  });
  expect([...new Set(known)].toSorted()).toEqual(Object.keys(dynamic).toSorted());
});

describe('a planted pattern that is not linear is found', () => {
  test.each([
    ['a literal', 'const a = /(a+)+$/;'],
    ['a RegExp of a text', "const a = new RegExp('(a+)+$');"],
    ['a call without new', "const a = RegExp('(a+)+$');"],
    ['a RegExp of a constant', "const b = '(a+)+$'; const a = new RegExp(b);"],
    ['a RegExp of a template', `const b = 'a+'; const a = new RegExp(\`(\${b})+$\`);`],
    ['a pattern of a schema', "const a = Type.String({ pattern: '(a+)+$' });"],
    ['a pattern of a constant', 'const b = String.raw`(a+)+$`; const a = { pattern: b };'],
  ])('%s', (_, text) => {
    const { texts } = collectPatterns([parseSource({ path: 'planted.ts', text })]);
    const [found = ''] = texts.keys();
    expect(found).toMatch(/^\/\(a\+\)\+\$\/u?$/);
    expect(checkPattern(found)).toBe('vulnerable: exponential');
  });

  test.each(['new RegExp(given);', 'const a = { pattern: given() };', 'new RegExp("a", given);'])(
    'a pattern that only the running program can evaluate: %s',
    (text) => {
      const found = collectPatterns([parseSource({ path: 'planted.ts', text })]);
      expect(found.dynamic.length).toBe(1);
    },
  );

  test('in a document', () => {
    expect(
      patternsInJson({ a: [{ pattern: 'a+' }, { b: { pattern: { pattern: 'b' } } }] }),
    ).toEqual(['/a+/u', '/b/u']);
  });
});

function isLinear(result: string): boolean {
  return !/^(?:vulnerable|unknown)/.test(result);
}

function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
