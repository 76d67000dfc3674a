import { int } from '../../store/columns.ts';
import type { Store } from '../../store/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';

/** The version of the store's schema: that of the newest migration. */
export function schemaVersion(store: Store): Promise<number> {
  return store.read({
    sql: sql.selectSchemaVersion,
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'version')),
  });
}
