import { existsSync } from 'node:fs';
import type { StoreTarget } from '../../domain/store-target.ts';
import { backUpSqlite } from '../../store/sqlite/back-up.ts';
import { AdminError } from '../context/admin-error.ts';
import type { StoreCopy } from '../documents/store.ts';

/**
 * Works while the store is served. Throws an AdminError for another store, and for an existing
 * file.
 */
export function backUpStore(store: StoreTarget, file: string): StoreCopy {
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL: back it up with pg_dump (docs/operations.md)');
  }
  if (existsSync(file)) throw new AdminError(`${file} is there already: name a new file`);
  return { store: store.path, file, bytes: backUpSqlite(store.path, file) };
}
