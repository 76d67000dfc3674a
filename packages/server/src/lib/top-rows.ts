/** Keeps only the first rows of an order; a sort would keep all. */
export function createTopRows<Row>(max: number, order: (a: Row, b: Row) => number) {
  const rows: Row[] = [];
  let count = 0;
  return {
    rows,
    /** Counts all rows that were added. */
    count: () => count,
    add(row: Row): void {
      count += 1;
      if (rows.length === max && order(row, rows[max - 1] ?? row) >= 0) return;
      let [from, until] = [0, rows.length];
      while (from < until) {
        const middle = Math.floor((from + until) / 2);
        if (order(row, rows[middle] ?? row) < 0) until = middle;
        else from = middle + 1;
      }
      rows.splice(from, 0, row);
      if (rows.length > max) rows.pop();
    },
  };
}
