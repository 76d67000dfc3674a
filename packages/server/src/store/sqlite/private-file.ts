import { closeSync, openSync, statSync } from 'node:fs';

/** What a folder and a file of the store may be used by: their owner alone. */
export const privateFolderMode = 0o700;
export const privateFileMode = 0o600;

/**
 * Makes a file that is not there yet for its owner alone, whatever the process's mask says. What
 * SQLite makes beside a database has the database's mode.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', privateFileMode));
  } catch {
    // It is there, or cannot be made: who opens it next says why.
  }
}

/** Why others can read a store; undefined where they cannot. It may be on purpose. */
export function openFileWarning(path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8);
  return `the store ${path} has the mode ${shown}, so that other users of this machine may get at user ids and hashes of keys: chmod 600 it`;
}
