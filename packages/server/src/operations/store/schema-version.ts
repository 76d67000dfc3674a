import { int } from '../../store/columns.ts';
import type { Store } from '../../store/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import type { AdminContext } from '../context.ts';

/** How far a store has come. */
export interface StoreVersion {
  readonly store: Store['kind'];
  /** That of the newest migration. */
  readonly schemaVersion: number;
}

/** What `migrate` prints: opening a store has brought its schema up to date. */
export async function storeVersion({ store }: AdminContext): Promise<StoreVersion> {
  return { store: store.kind, schemaVersion: await schemaVersion(store) };
}

/** The version of the store's schema: that of the newest migration. */
export function schemaVersion(store: Store): Promise<number> {
  return store.read({
    sql: sql.selectSchemaVersion,
    values: [],
    map: ([row]) => (row === undefined ? 0 : int(row, 'version')),
  });
}
