// RFC 4180. A spreadsheet takes a cell that begins so for a formula: names come from outside.
const formula = /^[=+\-@\t\r]/;

/** A line of a file for spreadsheets, without its line feed: a name is text, a sum a number. */
export function csvLine(cells: readonly (string | { readonly number: string })[]): string {
  return `${cells.map(cellOf).join(',')}\r`;
}

function cellOf(cell: string | { readonly number: string }): string {
  if (typeof cell !== 'string') return cell.number;
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
