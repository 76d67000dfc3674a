import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { KeyRing } from '../../../lib/key-ring.ts';
import type { Log } from '../../../lib/log.ts';
import { StoreError } from '../../port/port.ts';
import { assertOwnDatabase, sqliteText } from './damage.ts';
import { findPlace } from './find-place.ts';
import { makePrivateFile, openFileWarning } from './private-file.ts';
import { openRing, ringFileOf } from './ring-file.ts';

/** How long another process may keep the file locked. */
const busyMs = 5_000;

/** Where the file of a store is to be, and what seals it. */
export interface FileParts {
  readonly path: string;
  readonly log: Log;
  /** The operator's; else the store's own. */
  readonly ring?: KeyRing | undefined;
  /** Whether an operator wants an empty store, even where one seems to be lost. */
  readonly isNew?: boolean | undefined;
}

/**
 * The file of a store before it is opened: where it really is, for its owner alone, and with what
 * seals it. Throws a StoreError for one that cannot be a store.
 */
export function prepareFile(parts: FileParts): { readonly path: string; readonly ring: KeyRing } {
  const path = findPlace(parts.path, parts);
  makePrivateFile(path);
  if (!existsSync(ringFileOf(path))) makeDatabase(path);
  const warning = openFileWarning(path);
  if (warning !== undefined) parts.log.warn({}, warning);
  return { path, ring: openRing(path, parts.ring, parts.log) };
}

/** A ring without its database marks a lost store: so the database comes first. */
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

/** Why the file could not be opened. */
export function cannotOpen(path: string, why: string): StoreError {
  return new StoreError(`cannot open the store ${path}: ${why}`);
}
