// RFC 4180. A spreadsheet takes a cell that begins so for a formula: names come from outside.
const formula = /^[=+\-@\t\r]/;

/** A name is text, a sum a number. */
type Cell = string | { readonly number: string };

/** A line of a file for spreadsheets, without its line feed. */
export function csvLine(cells: readonly Cell[]): string {
  const safe = (cell: Cell) => (typeof cell === 'string' && formula.test(cell) ? `'${cell}` : cell);
  return plainCsvLine(cells.map(safe));
}

/** The same for programs, which need each text as it is. */
export function plainCsvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellOf).join(',')}\r`;
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell.number;
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
