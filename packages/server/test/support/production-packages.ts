import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const rootFolder = fileURLToPath(new URL('../../../..', import.meta.url));

/** A package's entry in the lock file. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly bin?: Readonly<Record<string, string>>;
}

/** The packages that `npm ci --omit=dev` installs, by path; optional ones included. */
export function productionPackages(): readonly (readonly [string, LockedPackage])[] {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(rootFolder, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(lock.packages).filter(
    ([place, { dev }]) => place.startsWith('node_modules/') && dev !== true,
  );
}

/**
 * Creates in `folder` the result of `npm ci --omit=dev`, out of the packages that are installed
 * here: seconds and a network less. Files are hard links, so nobody may write them. Returns the
 * number of packages.
 */
export function installProduction(folder: string): number {
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  const installed = productionPackages().filter(([place]) => existsSync(join(rootFolder, place)));
  for (const [place, { link, resolved = '' }] of installed) {
    const to = join(folder, place);
    if (link !== true) {
      linkTree(join(rootFolder, place), to);
      continue;
    }
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(relative(dirname(to), join(folder, resolved)), to);
  }
  for (const [place, { bin = {} }] of installed) {
    for (const [name, file] of Object.entries(bin)) linkProgram(folder, name, join(place, file));
  }
  // A linked package has its programs in its own folder's entry.
  linkProgram(folder, 'model-gateway', 'packages/server/bin/model-gateway.js');
  return installed.length;
}

function linkProgram(folder: string, name: string, file: string): void {
  const place = join(folder, 'node_modules/.bin', name);
  if (!existsSync(place)) symlinkSync(relative(dirname(place), join(folder, file)), place);
}

/** A package's own files; files below it have their own entry. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && basename(source) !== 'node_modules') linkTree(source, target);
    if (entry.isFile()) linkFile(source, target);
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    // Another disk, or a system without hard links.
    copyFileSync(from, to);
  }
}
