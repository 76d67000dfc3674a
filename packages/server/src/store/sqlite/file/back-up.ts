import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../port/port.ts';
import { damageCure, noStore, sqliteCodeOf, sqliteText } from './damage.ts';
import { privateFileMode } from './private-file.ts';

/**
 * Only its owner may read the copy; a service may be running. Returns bytes. Throws a StoreError if
 * the store is missing, or if store or copy is damaged. System errors pass unchanged.
 */
export function backUpSqlite(path: string, target: string): number {
  const store = openExisting(path);
  try {
    assertWhole(store, path);
    // Fails for an existing file: a backup never overwrites another.
    closeSync(openSync(target, 'wx', privateFileMode));
    try {
      store.prepare('vacuum into ?').run(target);
      checkCopy(target);
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
    return statSync(target).size;
  } catch (cause) {
    if (sqliteCodeOf(cause) === undefined) throw cause;
    throw new StoreError(`cannot back up the store ${path}: ${sqliteText(cause)}`, { cause });
  } finally {
    store.close();
  }
}

function openExisting(path: string): DatabaseSync {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) throw noStore(path);
  try {
    return new DatabaseSync(path, { readOnly: true, timeout: 10_000 });
  } catch {
    throw noStore(path);
  }
}

/** A copy of a damaged store could not be restored. */
function assertWhole(store: DatabaseSync, path: string): void {
  const result = store.prepare('pragma quick_check(1)').get()?.quick_check;
  if (result === 'ok') return;
  const fault = String(result).replaceAll('\n', ' ');
  throw new StoreError(
    `cannot back up the store ${path}: the file is damaged (${fault}); ${damageCure}`,
  );
}

function checkCopy(target: string): void {
  const copy = new DatabaseSync(target, { readOnly: true });
  try {
    const row = copy.prepare('pragma integrity_check').get();
    if (row?.integrity_check === 'ok') return;
  } finally {
    copy.close();
  }
  throw new StoreError(`the copy ${target} was damaged and was deleted; check the disk`);
}
