import { expect, test } from 'vitest';
import { csvLine, plainLine } from '../../src/reports/csv.ts';

const signs = ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20'];
const separators = [';', '|', '\t', '\n', '\r', '\r\n', ';;'];

/** The cells of a line in a spreadsheet that splits it at one sign, quotes or none. */
function cellsAt(line: string, separator: string): readonly string[] {
  return line.split(separator).map((cell) => cell.replace(/^"+/, ''));
}

test.each(signs)('no cell begins with %j, whichever sign splits the columns', (sign) => {
  const names = separators.map((separator) => `a${separator}${sign}1+1`);
  const quotes = separators.map((separator) => `a${separator}"${sign}1+1`);
  for (const name of [`${sign}1+1`, ...separators.map((one) => one + sign), ...names, ...quotes]) {
    const line = csvLine([name, { number: '-1' }, 'x']).slice(0, -1);
    for (const separator of [';', '|', '\t', '\n', '\r']) {
      const formulas = cellsAt(line, separator).filter((cell) =>
        signs.some((one) => cell.startsWith(one)),
      );
      expect([name, separator, formulas]).toEqual([name, separator, []]);
    }
  }
});

test.each([
  ['=1', "'=1"],
  ['\t1', "'\t1"],
  ['\n1', `"'\n1"`],
  [';=1+1', ";'=1+1"],
  ['a;b|@c', "a;b|'@c"],
  ['a-b+c=d@e.example; f - g', 'a-b+c=d@e.example; f - g'],
])('the cell %j is %j', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r`);
});

test('a number and a machine-readable line are unchanged', () => {
  expect(csvLine([{ number: '-1' }])).toBe('-1\r');
  expect(plainLine([';=1', '=1'])).toBe(';=1,=1\r');
});
