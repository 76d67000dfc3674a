import { describe, expect, test } from 'vitest';
import { read } from './operation-documents.ts';
import { tableDocuments } from './table-documents.ts';
import { withTable } from './tables/with-table.ts';

const documents = tableDocuments();

test.each([...documents.keys()])('%s is current: npx node scripts/write-tables.ts', (path) => {
  expect(read(path)).toBe(documents.get(path));
});

describe('a table between two comments', () => {
  test('replaces the one before, and nothing else', () => {
    const text = 'a\n<!-- one -->\n\n| old |\n\n<!-- end -->\nb\n<!-- end -->\n';
    const rows = [['1', 'x|y']];
    const expected =
      'a\n<!-- one -->\n\n| n | t |\n|---|---|\n| 1 | x\\|y |\n\n<!-- end -->\nb\n<!-- end -->\n';
    expect(withTable(text, 'one', ['n', 't'], rows)).toBe(expected);
    expect(withTable(expected, 'one', ['n', 't'], rows)).toBe(expected);
  });

  test.each(['no comment', '<!-- one -->\nwithout an end'])('is missed in "%s"', (text) => {
    expect(() => withTable(text, 'one', [], [])).toThrow('no "<!-- one -->" with a "<!-- end -->"');
  });
});
