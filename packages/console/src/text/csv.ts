type Cell = string | number | null | undefined;

/** A quote precedes a text that a spreadsheet would run as a formula. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = cell ?? '';
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
