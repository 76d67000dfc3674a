import type { StoreTarget } from '../../domain/store-target.ts';
import { scrubSqlite } from '../../store/sqlite/scrub.ts';
import { AdminError } from '../context/admin-error.ts';
import type { Scrubbed } from '../documents/store.ts';

/**
 * Rewrites the file, which removes traces of changed or deleted data. Throws an AdminError for
 * another store, and a StoreError for one being served.
 */
export function scrubStore(store: StoreTarget): Scrubbed {
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL: run vacuum full there (docs/operations.md)');
  }
  return { store: store.path, bytes: scrubSqlite(store.path) };
}
