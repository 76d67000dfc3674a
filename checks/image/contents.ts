import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readElf } from '../../deploy/image/elf.ts';
import { rootFolder } from './base.ts';

/** A file, link or folder of an image, by its path from the root. */
interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly kind: 'file' | 'folder' | 'link';
}

/** The faults in the files of an image; empty for a good one. */
export function findingsIn(root: string): readonly string[] {
  const entries = entriesOf(root);
  const files = entries.filter(({ kind }) => kind === 'file');
  return [
    ...files.filter(({ path }) => isOfTests(path)).map(({ path }) => `${path} belongs to tests`),
    ...entries.filter(({ mode }) => (mode & 0o6000) !== 0).map(({ path }) => `${path} is setuid`),
    ...entries.filter(isWritable).map(({ path }) => `${path} may be written`),
    ...programsOf(files).map((path) => `${path} is a program`),
    ...developmentPackagesIn(files).map((name) => `${name} is for development`),
    ...unbilled(root, files).map((name) => `the bill of materials lacks ${name}`),
  ];
}

/** Every entry below a root, without following a link. */
export function entriesOf(root: string, within = '/'): readonly Entry[] {
  return readdirSync(join(root, within)).flatMap((name): readonly Entry[] => {
    const path = join(within, name);
    const stat = lstatSync(join(root, path));
    const facts = { path, mode: stat.mode & 0o7777, uid: stat.uid };
    if (stat.isSymbolicLink()) return [{ ...facts, mode: 0, kind: 'link' }];
    if (!stat.isDirectory()) return [{ ...facts, kind: 'file' }];
    return [{ ...facts, kind: 'folder' }, ...entriesOf(root, path)];
  });
}

/** The machines of an image's programs and libraries: 62 is x86-64, 183 is AArch64. */
export function machinesIn(root: string): readonly number[] {
  const loaded = entriesOf(root).filter(({ path, kind }) => {
    return kind === 'file' && (path.startsWith('/lib') || path === '/usr/local/bin/node');
  });
  return [...new Set(loaded.map(({ path }) => readElf(readFileSync(join(root, path))).machine))];
}

/** The contents of an image's files, without the files that differ by machine. */
export function sharedContents(root: string): ReadonlyMap<string, string> {
  const own = /^\/(lib|etc\/ssl\/|usr\/local\/bin\/node$|usr\/share\/doc\/)/;
  const shared = entriesOf(root).filter(({ path, kind }) => kind !== 'folder' && !own.test(path));
  return new Map(
    shared.map(({ path, kind }) => {
      const at = join(root, path);
      return [path, kind === 'link' ? readlinkSync(at) : readFileSync(at, 'latin1')];
    }),
  );
}

function isOfTests(path: string): boolean {
  const own = path.startsWith('/opt/model-gateway/packages/');
  return own && /\/(test|tests|__tests__|fixtures)\/|\.test\.[cm]?[jt]sx?$/.test(path);
}

/**
 * Only its user may write to the data folder, and everybody to `/tmp`; nothing else is writable.
 */
function isWritable({ path, mode, uid, kind }: Entry): boolean {
  if (kind === 'link' || path === '/tmp') return false;
  if (path === '/var/lib/model-gateway') return uid !== 1_000 || mode !== 0o700;
  return uid !== 0 || (mode & 0o022) !== 0;
}

const programs = ['/usr/local/bin/node', '/usr/local/bin/model-gateway'];

/** Every executable that is not ours: a shell, another program. */
function programsOf(files: readonly Entry[]): readonly string[] {
  const inFolders = files.filter(({ path }) => /^\/(usr\/|usr\/local\/)?s?bin\//.test(path));
  return inFolders.map(({ path }) => path).filter((path) => !programs.includes(path));
}

interface Lock {
  readonly packages: Readonly<Record<string, { dev?: boolean; link?: boolean }>>;
}

function developmentPackagesIn(files: readonly Entry[]): readonly string[] {
  const { packages }: Lock = JSON.parse(
    readFileSync(join(rootFolder, 'package-lock.json'), 'utf8'),
  );
  return packagePathsIn(files).filter((path) => packages[path] === undefined || packages[path].dev);
}

/** The folders of packages, as the lock file names them. */
function packagePathsIn(files: readonly Entry[]): readonly string[] {
  const inside = files.map(({ path }) => path.replace('/opt/model-gateway/', ''));
  const paths = inside.flatMap((path) => {
    return /^(.*node_modules\/(?:@[^/]+\/)?[^/.][^/]*)\/package\.json$/.exec(path)?.[1] ?? [];
  });
  // A package might contain its own deeper package.json, which does not belong to an npm package.
  return paths.filter((path) => !/node_modules\/[^@][^/]*\/(?!node_modules)/.test(path));
}

function unbilled(root: string, files: readonly Entry[]): readonly string[] {
  const text = readFileSync(join(root, 'usr/share/model-gateway/sbom.spdx.json'), 'utf8');
  const bill: { packages: { name: string; versionInfo: string }[] } = JSON.parse(text);
  const billed = new Set(bill.packages.map(({ name, versionInfo }) => `${name}@${versionInfo}`));
  const installed = packagePathsIn(files).map((path) => {
    const file = join(root, 'opt/model-gateway', path, 'package.json');
    const { name, version }: { name: string; version: string } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    return `${name}@${version}`;
  });
  const base = ['node', 'libc6', 'libstdc++6'].filter((name) => {
    return !bill.packages.some((each) => each.name === name);
  });
  return [...installed.filter((each) => !billed.has(each)), ...base];
}
