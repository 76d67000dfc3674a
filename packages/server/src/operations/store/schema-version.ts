import type { Store } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { int } from '../../store/schema/columns.ts';

export function schemaVersion(store: Store): Promise<number> {
  return store.read({
    sql: sql.selectSchemaVersion,
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'version')),
  });
}
