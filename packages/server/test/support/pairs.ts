/** Selects the rows of a table that a tier runs, in the order of the table. */
export type Choose = <Row extends object>(table: readonly Row[]) => readonly Row[];

export const whole: Choose = (table) => table;

/**
 * A few rows that contain every value, and every pair of values, of the whole table. Each field of
 * a row is a factor. Almost every mistake shows with two factors.
 */
export const pairwise: Choose = (table) => {
  const ids = new Map<unknown, number>();
  const cells = table.map((row) => ({ row, pairs: pairsOf(row, ids) }));
  const open = new Set(cells.flatMap(({ pairs }) => pairs));
  const uses = new Map<string, number>();
  const chosen = new Set<object>();
  while (open.size > 0) {
    const scored = cells.map((cell) => {
      const newPairs = cell.pairs.filter((pair) => open.has(pair)).length;
      const repeats = cell.pairs.reduce((sum, pair) => sum + (uses.get(pair) ?? 0), 0);
      return { ...cell, newPairs, repeats };
    });
    // Rows with rare pairs come first, or most rows would have the first value of each factor.
    const best = scored.reduce((first, next) =>
      (next.newPairs - first.newPairs || first.repeats - next.repeats) > 0 ? next : first,
    );
    chosen.add(best.row);
    for (const pair of best.pairs) {
      open.delete(pair);
      uses.set(pair, (uses.get(pair) ?? 0) + 1);
    }
  }
  return table.filter((row) => chosen.has(row));
};

/** A value is also a pair with itself, which covers tables of one factor. */
function pairsOf(row: object, ids: Map<unknown, number>): readonly string[] {
  const values = Object.entries(row).map(([factor, value]) => {
    const id = ids.get(value) ?? ids.size;
    ids.set(value, id);
    return `${factor} ${id}`;
  });
  return values.flatMap((one, index) => values.slice(index).map((other) => `${one}, ${other}`));
}
