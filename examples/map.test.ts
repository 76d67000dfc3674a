import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiErrors, defaultLimits, gatewayErrors, routes } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { readRepositoryFile, rootFolder, tableRows } from './testing/markdown.ts';

const map = readRepositoryFile('docs/map.md');
const rows = tableRows(map);

/** What code that does what a statement says must contain: a code, a message, a name or a limit. */
function namesIn(statement: string): readonly RegExp[] {
  const codes = Object.keys(apiErrors).filter((code) =>
    new RegExp(`\\b${code}\\b`).test(statement),
  );
  const messages = Object.values(gatewayErrors).map(({ message }) => message);
  const quoted = [...statement.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  const seconds = [...statement.matchAll(/\b(\d+) s\b/g)].map(([, count]) => Number(count));
  return [
    ...[...codes, ...quoted].map((name) => new RegExp(`\\b${name}\\b`, 'i')),
    ...messages.filter((message) => statement.includes(message)).map((text) => new RegExp(text)),
    ...seconds.map((count) => new RegExp([...limitsOf(count), `\\b${count}(_000)?\\b`].join('|'))),
  ];
}

/** The limits of this many seconds: code uses them by name. */
function limitsOf(seconds: number): readonly string[] {
  const limits = Object.entries(defaultLimits).filter(([, value]) => value === seconds * 1_000);
  return limits.map(([name]) => name);
}

describe('docs/map.md', () => {
  test.each(rows)('leads from "%s" to a file and a test', (_statement, file = '', proof = '') => {
    for (const cell of [file, proof]) {
      const links = [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(existsSync(join(rootFolder, 'docs', link)), link).toBe(true);
    }
    expect(proof).toContain('.test.ts)');
  });

  test.each(rows.filter(([statement = '']) => namesIn(statement).length > 0))(
    'names a file with what "%s" names',
    (statement = '', cell = '') => {
      const links = [...cell.matchAll(/\]\(\.\.\/([^)]+\.\w+)\)/g)].map(([, path = '']) => path);
      const text = links.map(readRepositoryFile).join('\n');
      for (const name of namesIn(statement)) expect(text).toMatch(name);
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

  test('has the sections of the specification that say something, in their order', () => {
    const sections = [...map.matchAll(/^## (\d)\. /gm)].map(([, number]) => Number(number));
    expect(sections).toEqual([1, 2, 3, 4, 5, 7, 8, 9]);
  });
});
