import { read } from './operation-documents.ts';
import { withErrorTables } from './tables/error-tables.ts';
import { withMetricTable } from './tables/metric-table.ts';

/** The documents with generated tables, by path. */
export function tableDocuments(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/errors.md', withErrorTables(read('docs/errors.md'))],
    ['docs/monitoring.md', withMetricTable(read('docs/monitoring.md'))],
  ]);
}
