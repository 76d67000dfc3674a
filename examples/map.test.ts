import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiErrors, routes } from '@model-gateway/contract';
import { describe, expect, test } from 'vitest';
import { readRepositoryFile, rootFolder, tableRows } from './testing/markdown.ts';

const map = readRepositoryFile('docs/map.md');
const rows = tableRows(map);

describe('docs/map.md', () => {
  test.each(rows)('leads from "%s" to a file and a test', (_statement, file = '', proof = '') => {
    for (const cell of [file, proof]) {
      const links = [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
      expect(links.length).toBeGreaterThan(0);
      for (const link of links) expect(existsSync(join(rootFolder, 'docs', link)), link).toBe(true);
    }
    expect(proof).toContain('.test.ts)');
  });

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
