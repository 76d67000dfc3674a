import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Licenses that allow distribution together with our own MIT. */
const compatible: ReadonlySet<string> = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'],
  ...['BlueOak-1.0.0', 'CC0-1.0', 'Unlicense', 'Python-2.0', 'Zlib'],
]);

/** The used fields of a package in a lock file. */
export interface LockedPackage {
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly license?: string;
}

/**
 * The faults in the licenses of an installation without development packages: one sentence a
 * package. `manifestOf` reads the package.json at a path. It returns undefined where it is not
 * installed, such as the Node for another machine.
 */
export function findLicences(
  packages: Readonly<Record<string, LockedPackage>>,
  manifestOf: (path: string) => unknown,
): readonly string[] {
  const dependencies = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== '' && dev !== true && link !== true,
  );
  return dependencies.flatMap(([path, locked]) => {
    const manifest = manifestOf(path);
    const own = manifest === undefined ? undefined : licenceOf(manifest);
    const words = [locked.license ?? 'none', ...(own === undefined ? [] : [own])];
    const [wrong] = words.filter((word) => !isCompatible(word));
    if (wrong === undefined) return [];
    return [
      `${path} has the licence ${wrong}, which is not on the list: use another package, or add it to scripts/licences.ts when it may be given on together with MIT`,
    ];
  });
}

/** An SPDX expression: one of several is enough, and all of several are needed. */
export function isCompatible(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/g, ' ').trim();
  // AND binds closer than OR; an OR in parentheses next to an AND is rejected, since nothing here
  // parses it.
  if (/\([^)]*\bOR\b[^)]*\)\s+AND|AND\s+\([^)]*\bOR\b/.test(expression)) return false;
  return bare
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((one) => compatible.has(one.trim())));
}

/** The license of a package.json, in its present form and in the old one. */
function licenceOf(manifest: unknown): string {
  const { license, licenses } = Object(manifest);
  if (typeof license === 'string') return license;
  const listed: unknown[] = Array.isArray(licenses) ? licenses : [license];
  const types = listed.map((one) => String(Object(one).type ?? 'none'));
  return types.join(' OR ');
}

/** Checks the repository's own lock file and the installed packages; returns the findings. */
export function findOwnLicences(root: string): readonly string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return findLicences(lock.packages, (path) => {
    try {
      return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    } catch {
      // It is for another machine: only the lock file has its license.
      return undefined;
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const findings = findOwnLicences(fileURLToPath(new URL('..', import.meta.url)));
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  process.stdout.write(`licences: ${findings.length} findings\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
