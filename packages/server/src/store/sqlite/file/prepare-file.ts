import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { KeyRing } from '../../../lib/key-ring.ts';
import type { Log } from '../../../lib/log.ts';
import { StoreError } from '../../port/port.ts';
import { assertOwnDatabase, sqliteText } from './damage.ts';
import { findStorePath } from './find-store-path.ts';
import { makePrivateFile, openFileWarning } from './private-file.ts';
import { openRing, ringFileOf } from './ring-file.ts';

const busyMs = 5_000;

export interface FileParts {
  readonly path: string;
  readonly log: Log;
  /** The operator's ring. Default: the store's own. */
  readonly ring?: KeyRing | undefined;
  /** Accepts an empty store, even if one seems lost. */
  readonly isNew?: boolean | undefined;
}

/**
 * The real path, accessible only to its owner, and the ring. Throws a StoreError for a file that
 * cannot be a store.
 */
export function prepareFile(parts: FileParts): { readonly path: string; readonly ring: KeyRing } {
  const path = findStorePath(parts.path, parts);
  makePrivateFile(path);
  if (!existsSync(ringFileOf(path))) makeDatabase(path);
  const warning = openFileWarning(path);
  if (warning !== undefined) parts.log.warn({}, warning);
  return { path, ring: openRing(path, parts.ring, parts.log) };
}

/** A ring without its database indicates a lost store, so the database is created first. */
function makeDatabase(path: string): void {
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    assertOwnDatabase(database);
    if (statSync(path).size === 0) database.exec('pragma journal_mode = wal');
  } catch (error) {
    throw cannotOpen(path, sqliteText(error));
  } finally {
    database.close();
  }
}

export function cannotOpen(path: string, why: string): StoreError {
  return new StoreError(`cannot open the store ${path}: ${why}`);
}
