import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { StoreError } from '../../port/port.ts';

/**
 * The real path, because SQLite's and the lock's files derive their names from it: two services on
 * one file must get one name. Throws a StoreError for a file with several, which the file itself
 * does not show.
 */
export function storePathOf(path: string, readMounts = readOwnMounts): string {
  const realPath = followLinks(path, linksMax);
  const stats = statSync(realPath, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) {
    throw new StoreError(`the store ${realPath} is a folder; use a file in it`);
  }
  const links = stats?.nlink ?? 1;
  if (links > 1) {
    throw new StoreError(
      `the store ${realPath} has ${links} hard links, so another service could open it under another name; remove the others ("find / -xdev -samefile ${realPath}" lists them), or use a copy`,
    );
  }
  if (mountPoints(readMounts()).includes(realPath)) {
    throw new StoreError(
      `the store ${realPath} is mounted as a single file, without its companion files; mount its folder`,
    );
  }
  return realPath;
}

const linksMax = 40;

/** The last link's target may be missing: SQLite creates it. */
function followLinks(path: string, linksLeft: number): string {
  if (!existsSync(dirname(path))) {
    throw new StoreError(
      `the store is a link to ${path}, whose folder is missing; mount its volume, or correct the link`,
    );
  }
  const here = join(realpathSync.native(dirname(path)), basename(path));
  if (lstatSync(here, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return here;
  if (linksLeft === 0) throw new StoreError(`the store ${path} is a broken link`);
  return followLinks(resolve(dirname(here), readlinkSync(here)), linksLeft - 1);
}

/** Linux only: elsewhere, single files are not mounted. */
function readOwnMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // The file exists only on Linux, where a sandbox may also hide it.
    return '';
  }
}

/** The fifth field of each line. Source: proc_pid_mountinfo(5). */
function mountPoints(mounts: string): readonly string[] {
  return mounts.split('\n').map((line) => {
    const escaped = line.split(' ')[4] ?? '';
    // Blanks and backslashes are written as three octal digits.
    return escaped.replace(/\\([0-7]{3})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
  });
}
