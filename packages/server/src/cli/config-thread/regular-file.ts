import { readFileSync, statSync } from 'node:fs';

/** Larger than any configuration that a service could use. */
const bytesMax = 16 * 1024 * 1024;

/**
 * Throws an error with a `code` for a pipe or device, whose read may never end, and above 16 MiB.
 */
export function readRegularFile(path: string): string {
  const stats = statSync(path);
  if (!stats.isFile()) throw refused('not a regular file');
  if (stats.size > bytesMax) throw refused('larger than 16 MiB');
  return readFileSync(path, 'utf8');
}

function refused(code: string): Error {
  return Object.assign(new Error(code), { code });
}
