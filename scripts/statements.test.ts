import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { statementsDocument } from './statements-document.ts';

test('docs/statements.md is current: npx node scripts/write-statements.ts', () => {
  const file = new URL('../docs/statements.md', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(statementsDocument());
});

test('each source is a page or a report', () => {
  for (const [, target = ''] of statementsDocument().matchAll(/\]\((http[^)]*)\)/g))
    expect(URL.canParse(target), target).toBe(true);
});
