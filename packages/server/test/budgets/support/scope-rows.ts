import type { Store } from '../../../src/store/port/port.ts';
import { big, text } from '../../../src/store/schema/columns.ts';

/** The amounts of a budget other than the app's daily budget, in a period. */
export interface ScopeRow {
  readonly key: string;
  readonly spent: bigint;
  readonly held: bigint;
}

/** The rows of the budgets whose scope contains a text, as `scope@period`. */
export function scopeRows(store: Store, part: string): Promise<readonly ScopeRow[]> {
  return store.read({
    sql: `
      select scope || '@' || period as key, spent, held from budget_scope
       where scope like '%' || cast($1 as text) || '%'
       order by 1`,
    values: [part],
    map: (rows) =>
      rows.map((row) => ({
        key: text(row, 'key'),
        spent: big(row, 'spent'),
        held: big(row, 'held'),
      })),
  });
}
