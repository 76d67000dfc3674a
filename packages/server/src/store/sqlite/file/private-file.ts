import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../../port/port.ts';

/** Owner only. */
const privateFolderMode = 0o700;
export const privateFileMode = 0o600;

/** Returns whether it was missing. Throws a StoreError. */
export function makePrivateFolder(path: string): boolean {
  try {
    const made = mkdirSync(dirname(path), { recursive: true, mode: privateFolderMode });
    return made !== undefined;
  } catch (error) {
    throw unusable(`the folder of the store, ${dirname(path)}, cannot be created`, error);
  }
}

/**
 * Owner only, whatever the process's mask. SQLite's side files copy the mode. Throws a StoreError.
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', privateFileMode));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      throw unusable(`the store's file ${path} cannot be created`, error);
    }
    assertWritable(path);
  }
}

function assertWritable(path: string): void {
  try {
    if (statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw unusable(`the store's file ${path} cannot be written`, error);
  }
}

function unusable(what: string, error: unknown): StoreError {
  const user = process.geteuid?.() ?? 'of this process';
  const cure = `give the user ${user} write access, or use another path for the store`;
  return new StoreError(`${what} (${codeOf(error)}); ${cure}`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}

/** Undefined if others cannot read it. Their access may be intended. */
export function openFileWarning(path: string): string | undefined {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return undefined;
  const shown = (mode & 0o777).toString(8);
  return `store ${path} has mode ${shown}; other users of this machine can read user ids and key hashes; run chmod 600 on it`;
}
