import { readFileSync, statSync } from 'node:fs';

/** Larger than any configuration that a service could put in force. */
const bytesMax = 16 * 1024 * 1024;

/**
 * Reads a file as text. Throws an error with a `code` for a pipe or a device, of which a read may
 * never end, and for a file above 16 MiB.
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
