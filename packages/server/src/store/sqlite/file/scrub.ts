import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { silentLog } from '../../../lib/silent-log.ts';
import { StoreError } from '../../port/port.ts';
import { noStore, sqliteText } from './damage.ts';
import { lockSqliteStore } from './lock.ts';

/**
 * Leaves no changed or deleted data in free pages or a log; returns bytes. Temporarily needs the
 * same space again. Throws a StoreError if the store is missing or in service.
 */
export function scrubSqlite(path: string): number {
  if (!existsSync(path)) throw noStore(path);
  const lock = lockSqliteStore(path, { log: silentLog });
  try {
    const database = new DatabaseSync(path, { timeout: 10_000 });
    try {
      database.exec('vacuum');
      database.exec('pragma wal_checkpoint(truncate)');
    } catch (cause) {
      throw new StoreError(`cannot scrub the store ${path}: ${sqliteText(cause)}`, { cause });
    } finally {
      database.close();
    }
    return statSync(path).size;
  } finally {
    lock.close();
  }
}
