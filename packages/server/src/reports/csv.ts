// RFC 4180. Names are outside text, and a spreadsheet treats cells with these beginnings as
// formulas. Many spreadsheets use another separator than the comma, so a cell may begin after one.
const formula = /(?<=^|[;|\t\r\n"])[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/g;

/** Without its line feed. Names are strings, sums are numbers. */
export function csvLine(cells: readonly (string | { readonly number: string })[]): string {
  return `${cells.map(cellOf).join(',')}\r`;
}

function cellOf(cell: string | { readonly number: string }): string {
  if (typeof cell !== 'string') return cell.number;
  return quoted(cell.replaceAll(formula, "'$&"));
}

export function plainLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r`;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
