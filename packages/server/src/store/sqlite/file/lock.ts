import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../port/port.ts';
import { findStorePath, type StorePathParts } from './find-store-path.ts';
import { makePrivateFile } from './private-file.ts';

/**
 * Lasts until closed or dead: the system frees it after a kill. Its file is next to the real file,
 * whatever the links. Throws a StoreError when another service has it.
 */
export function lockSqliteStore(path: string, parts: StorePathParts): { close(): void } {
  const storePath = findStorePath(path, parts);
  makePrivateFile(`${storePath}.lock`);
  // Node has no file lock; a SQLite file in exclusive mode keeps one while it is open.
  const lock = new DatabaseSync(`${storePath}.lock`, { timeout: 0 });
  try {
    lock.exec('pragma locking_mode = exclusive');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    throw new StoreError(
      `another model-gateway uses the store ${storePath}; stop it, or use a different store`,
      { cause: error },
    );
  }
  return { close: () => lock.close() };
}
