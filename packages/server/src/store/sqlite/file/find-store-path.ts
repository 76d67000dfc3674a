import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../../lib/log.ts';
import { StoreError } from '../../port/port.ts';
import { makePrivateFolder } from './private-file.ts';
import { ringFileOf } from './ring-file.ts';
import { sideFileOf } from './side-file.ts';
import { storePathOf } from './store-path.ts';

export interface StorePathParts {
  readonly log: Pick<Log, 'info'>;
  readonly isNew?: boolean | undefined;
}

const cure =
  'correct "store" in the configuration, or start with an empty store ("model-gateway serve --new-store")';

/**
 * The real path, in an existing folder. Throws a StoreError for a lost or misplaced store: a new
 * store would have unspent budgets and no keys. Decision 0118.
 */
export function findStorePath(path: string, { log, isNew = false }: StorePathParts): string {
  const folder = dirname(path);
  if (!isNew) assertFolder(folder);
  if (makePrivateFolder(path)) log.info({ folder }, 'store folder did not exist and was created');
  const storePath = storePathOf(path);
  if (!isNew) assertNotLost(storePath);
  return storePath;
}

function assertFolder(folder: string): void {
  const above = dirname(folder);
  if (!isMissing(folder) || !isMissing(above)) return;
  throw new StoreError(
    `the folder of the store, ${folder}, is missing, and so is ${above}; mount its volume, ${cure}`,
  );
}

/** An unreadable folder is not missing: creating the store's folder reports the reason. */
function isMissing(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function assertNotLost(storePath: string): void {
  // Checked before the database: another process may create a store now, database first.
  const leftovers = [sideFileOf(storePath), ringFileOf(storePath)].filter((file) =>
    existsSync(file),
  );
  if (leftovers.length === 0) return;
  const bytes = statSync(storePath, { throwIfNoEntry: false })?.size;
  if (bytes !== undefined && bytes > 0) return;
  const state = bytes === undefined ? 'is missing' : 'is empty';
  const verb = leftovers.length === 1 ? 'remains' : 'remain';
  throw new StoreError(
    `the store ${storePath} ${state}, but ${leftovers.join(' and ')} ${verb}; restore a backup, ${cure}`,
  );
}
