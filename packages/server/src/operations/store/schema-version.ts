import { int } from '../../store/columns.ts';
import type { Store } from '../../store/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';

export function schemaVersion(store: Store): Promise<number> {
  return store.read({
    sql: sql.selectSchemaVersion,
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'version')),
  });
}
