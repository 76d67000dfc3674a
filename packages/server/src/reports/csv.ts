// RFC 4180. Names come from outside, and a spreadsheet takes a cell that begins so for a formula.
// Many split the columns at another sign than the comma: what follows one may begin a cell.
const formula = /(?<=^|[;|\t\r\n"])[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/g;

/** Without its line feed; a name is text, a sum a number. */
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
