// RFC 4180. A spreadsheet takes a cell that begins so for a formula: names come from outside.
const formula = /^[=+\-@\t\r]/;

/** Lines of a file for spreadsheets, each without its line feed: a name is text, a sum a number. */
export function csvLines(
  head: readonly string[],
  rows: readonly (readonly (string | { readonly number: string })[])[],
): readonly string[] {
  const lines = [head, ...rows];
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r`);
}

function cellOf(cell: string | { readonly number: string }): string {
  if (typeof cell !== 'string') return cell.number;
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
