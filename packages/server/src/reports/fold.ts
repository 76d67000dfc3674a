import { addSums } from '../books/splits.ts';
import type { ReportRow } from './report.ts';

/** Adds up rows that are alike without the name; sorted by names. */
export function withoutName(rows: readonly ReportRow[], at: number): readonly ReportRow[] {
  const folded = new Map<string, ReportRow>();
  for (const { names: all, sums } of rows) {
    const names = all.toSpliced(at, 1);
    const key = names.join('\n');
    const known = folded.get(key);
    folded.set(key, { names, sums: known === undefined ? sums : addSums(known.sums, sums) });
  }
  return [...folded].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
