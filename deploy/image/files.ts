import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes a folder that everybody may read, and its parents. */
export function makeFolder(path: string, mode = 0o755): void {
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
}

/** Writes a file that everybody may read, independent of the builder's mask. */
export function putFile(path: string, content: string | Buffer, mode = 0o644): void {
  makeFolder(dirname(path));
  writeFileSync(path, content);
  chmodSync(path, mode);
}

/** Copies a file, a link as a link, or a whole folder without the unwanted names. */
export function copyTree(from: string, to: string, isWanted: (name: string) => boolean): void {
  const stat = lstatSync(from);
  if (stat.isSymbolicLink()) {
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(readlinkSync(from), to);
    return;
  }
  if (stat.isFile()) {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
    const isProgram = (stat.mode & 0o111) !== 0;
    chmodSync(to, isProgram ? 0o755 : 0o644);
    return;
  }
  makeFolder(to);
  for (const name of readdirSync(from).toSorted()) {
    if (isWanted(name)) copyTree(join(from, name), join(to, name), isWanted);
  }
}

/** Whether a running program reads the file: not types, source maps, or pages about a package. */
export function isRead(name: string): boolean {
  if (/^(licen[cs]e|copying|notice)/i.test(name)) return true;
  return !/\.(d\.[cm]?ts|map|md|markdown|tsbuildinfo)$|^\.package-lock\.json$/i.test(name);
}
