import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiErrors, defaultLimits, gatewayErrors, routes } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { readRepositoryFile, rootFolder, tableRows } from './testing/markdown.ts';

const map = readRepositoryFile('docs/map.md');
const rows = tableRows(map);

/**
 * The required contents of code that implements a statement: a code, a message, a name or a limit.
 */
function namesIn(statement: string): readonly RegExp[] {
  const codes = Object.keys(apiErrors).filter((code) =>
    new RegExp(`\\b${code}\\b`).test(statement),
  );
  const messages = Object.entries(gatewayErrors).filter(([, { message }]) =>
    statement.includes(message),
  );
  const quoted = [...statement.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  const seconds = [...statement.matchAll(/\b(\d+) s\b/g)].map(([, count]) => Number(count));
  return [
    ...[...codes, ...quoted].map((name) => new RegExp(`\\b${name}\\b`, 'i')),
    ...messages.map(([name, { message }]) => new RegExp(`${message}|\\b${name}\\b`)),
    ...seconds.map((count) => new RegExp([...limitsOf(count), `\\b${count}(_000)?\\b`].join('|'))),
  ];
}

/** The limits of this many seconds: code uses them by name. */
function limitsOf(seconds: number): readonly string[] {
  const limits = Object.entries(defaultLimits).filter(([, value]) => value === seconds * 1_000);
  return limits.map(([name]) => name);
}

/** The linked files of a cell, each with the words in code font behind it. */
function filesIn(cell: string) {
  const links = cell.matchAll(/\]\(([^)]+)\)((?: `[^`]+`)*)/g);
  return [...links].map(([, link = '', words = '']) => ({
    path: join('docs', link),
    words: [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  }));
}

/** Without comments and imports: a word that appears only there has no effect. */
function codeOf(path: string): string {
  const text = readRepositoryFile(path);
  if (!path.endsWith('.ts')) return text;
  return text.replaceAll(/^\s*\/?\*.*$|^\s*\/\/.*$|^import\s[^;]*;$/gm, '');
}

/** As a whole word. */
function isIn(code: string, word: string): boolean {
  const literal = word.replaceAll(/[.+*?^$()[\]{}|\\]/g, '\\$&');
  return new RegExp(`(?<!\\w)${literal}(?!\\w)`).test(code);
}

describe('docs/map.md', () => {
  test.each(rows)('leads from "%s" to a file and a test', (_statement, file = '', proof = '') => {
    for (const cell of [file, proof]) {
      const files = filesIn(cell);
      expect(files.length).toBeGreaterThan(0);
      for (const { path } of files) expect(existsSync(join(rootFolder, path)), path).toBe(true);
    }
    expect(proof).toContain('.test.ts)');
  });

  test.each(rows)('has after each file of "%s" a word of its code', (statement, cell = '') => {
    const problems = filesIn(cell).flatMap(({ path, words }) => {
      if (words.length === 0) return `${path} has no word in code font behind it`;
      const code = codeOf(path);
      const missing = words.filter((word) => !isIn(code, word));
      return missing.map((word) => `${path} does not contain \`${word}\``);
    });
    expect(problems, `docs/map.md, the row "${statement}"`).toEqual([]);
  });

  test.each(rows.filter(([statement = '']) => namesIn(statement).length > 0))(
    'names a file and a test with the names of "%s"',
    (statement = '', ...cells) => {
      for (const cell of cells) {
        const text = filesIn(cell)
          .map(({ path }) => readRepositoryFile(path))
          .join('\n');
        for (const name of namesIn(statement)) expect(text).toMatch(name);
      }
    },
  );

  test('has a row for every code, every route and every scenario of an error', () => {
    const statements = rows.map(([statement = '']) => statement).join('\n');
    for (const code of Object.keys(apiErrors)) expect(statements).toContain(code);
    for (const { method, path } of Object.values(routes)) {
      expect(statements).toContain(`\`${method} ${path.replace(/:(\w+)/, '{$1}')}\``);
    }
    const scenarios = readdirSync(join(rootFolder, 'packages/server/test/scenarios'));
    const ofErrors = scenarios.filter((file) => /^[45]\d\d-.*\.test\.ts$/.test(file));
    expect(ofErrors.length).toBeGreaterThan(20);
    for (const file of ofErrors) expect(map).toContain(`/${file})`);
  });

  test('has the sections of the specification with content, in their order', () => {
    const sections = [...map.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number));
    expect(sections).toEqual([1, 2, 3, 4, 5, 7, 8, 9]);
  });
});
