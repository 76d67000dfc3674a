import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const router = readFileSync(new URL('../../src/shell/pages.tsx', import.meta.url), 'utf8');
const components = [...router.matchAll(/<Route .*component=\{([A-Z]\w+)\}|pages\.(\w+)/g)].map(
  ([, first, later = '']) => (first ?? later).replace(/(Page|View|Key)$/, ''),
);

test('every page of the router has its test', () => {
  expect(components).toEqual(expect.arrayContaining(['NotFound', 'Today', 'Calls', 'Access']));
  for (const name of components) {
    const file = name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    expect(existsSync(new URL(`${file}.test.tsx`, import.meta.url)), name).toBe(true);
  }
});
