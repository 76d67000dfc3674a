import type { StoreTarget } from '../../domain/store-target.ts';
import { scrubSqlite } from '../../store/sqlite/scrub.ts';
import { AdminError } from '../admin-error.ts';
import type { Scrubbed } from './documents.ts';

/**
 * Writes the file of a SQLite store anew, so that nothing is left in it of what was changed or
 * deleted. Throws an AdminError for another store, and a StoreError for one that is served.
 */
export function scrubStore(store: StoreTarget): Scrubbed {
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL: run vacuum full there (docs/operations.md)');
  }
  return { store: store.path, bytes: scrubSqlite(store.path) };
}
