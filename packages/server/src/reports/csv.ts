// RFC 4180. A spreadsheet takes a cell that begins so for a formula: names come from outside.
const formula = /^[=+\-@\t\r]/;

/** A line of a file for spreadsheets, without its line feed: a name is text, a sum a number. */
export function csvLine(cells: readonly (string | { readonly number: string })[]): string {
  return `${cells.map(cellOf).join(',')}\r`;
}

function cellOf(cell: string | { readonly number: string }): string {
  if (typeof cell !== 'string') return cell.number;
  return quoted(formula.test(cell) ? `'${cell}` : cell);
}

/** A line for programs, which read each text as it is. */
export function plainLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r`;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
