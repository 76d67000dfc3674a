import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const router = readFileSync(new URL('../../src/shell/pages.tsx', import.meta.url), 'utf8');
const components = [...router.matchAll(/<Route .*component=\{(\w+)\}/g)].map(
  ([, name = '']) => name,
);

test('every page of the router has its test', () => {
  expect(components).toContain('NotFound');
  for (const name of components) {
    const file = name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    expect(existsSync(new URL(`${file}.test.tsx`, import.meta.url)), name).toBe(true);
  }
});
