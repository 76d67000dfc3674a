import { expect, test } from 'vitest';
import { csvOf } from '../src/text/csv.ts';

test('a CSV has the necessary quotes, and disarms formulas', () => {
  const rows = [
    ['a', 'b,c', 'say "x"', 'two\nlines'],
    ['=1+1', '-0.5', '@x', '-x', 7, null],
  ];
  expect(csvOf(rows)).toBe(`a,"b,c","say ""x""","two\nlines"\r\n'=1+1,-0.5,'@x,'-x,7,\r\n`);
});
