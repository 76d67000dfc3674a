import { existsSync } from 'node:fs';
import type { StoreTarget } from '../../domain/store-target.ts';
import { backUpSqlite } from '../../store/sqlite/file/back-up.ts';
import { scrubSqlite } from '../../store/sqlite/file/scrub.ts';
import { AdminError } from '../context/admin-error.ts';
import type { ScrubResult, StoreCopy } from '../documents/store.ts';

/**
 * Works while a service uses the store. Throws an AdminError for a store that is not SQLite, and
 * for an existing file.
 */
export function backUpStore(store: StoreTarget, file: string): StoreCopy {
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL; back it up with pg_dump (docs/operations.md)');
  }
  if (existsSync(file)) throw new AdminError(`${file} already exists; choose a new file name`);
  return { store: store.path, file, bytes: backUpSqlite(store.path, file) };
}

/**
 * Rewrites the file, which removes traces of changed or deleted data. Throws an AdminError for a
 * store that is not SQLite, and a StoreError while a service uses it.
 */
export function scrubStore(store: StoreTarget): ScrubResult {
  if (store.kind !== 'sqlite') {
    throw new AdminError('the store is PostgreSQL; run vacuum full there (docs/operations.md)');
  }
  return { store: store.path, bytes: scrubSqlite(store.path) };
}
