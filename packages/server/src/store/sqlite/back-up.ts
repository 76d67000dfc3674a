import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../port.ts';
import { privateFileMode } from './private-file.ts';

/**
 * Writes a whole copy of a store into a new file that is its owner's alone, also while a service
 * uses the store; answers its size in bytes. Throws a StoreError where there is no store, or where
 * the copy is not sound; what the operating system refuses is thrown as it is.
 */
export function backUpSqlite(path: string, target: string): number {
  const store = openExisting(path);
  try {
    // Refused where there is a file: a backup is never written over another one.
    closeSync(openSync(target, 'wx', privateFileMode));
    try {
      store.prepare('vacuum into ?').run(target);
      checkCopy(target);
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
    return statSync(target).size;
  } finally {
    store.close();
  }
}

function openExisting(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  } catch {
    throw new StoreError(`there is no store at ${path}: look at store in the configuration`);
  }
}

function checkCopy(target: string): void {
  const copy = new DatabaseSync(target, { readOnly: true });
  try {
    const row = copy.prepare('pragma integrity_check').get();
    if (row?.integrity_check === 'ok') return;
  } finally {
    copy.close();
  }
  throw new StoreError(`the copy ${target} was not sound and is removed: check the disk`);
}
