import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readElf, stripped } from './elf.ts';
import { putFile } from './files.ts';

/** The Debian package of a file in the image. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
}

/** The image's parts from its base. */
export interface TakenBase {
  readonly packages: readonly DebianPackage[];
  /** 62 is x86-64, 183 is AArch64. */
  readonly machine: number;
}

const triplets: Readonly<Record<number, string>> = {
  62: 'x86_64-linux-gnu',
  183: 'aarch64-linux-gnu',
};

/**
 * Puts Node and its libraries into `image`, from the Debian at `base`. None of them is run, so the
 * base may be for another machine. The image has no shell and no other program.
 */
export function takeBase(base: string, node: string, image: string): TakenBase {
  const program = readFileSync(node);
  const { machine, loader } = readElf(program);
  const triplet = triplets[machine];
  if (triplet === undefined || loader === undefined)
    throw new Error(`${node} must be one of our Node packages`);
  putFile(join(image, 'usr/local/bin/node'), stripped(program), 0o755);
  putFile(join(image, loader), readFileSync(inBase(base, loader)), 0o755);
  const libraries = librariesOf(base, program, triplet).filter((name) => name !== basename(loader));
  for (const name of libraries) {
    const file = readFileSync(findLibrary(base, triplet, name));
    putFile(join(image, 'lib', triplet, name), file);
  }
  const packages = packagesOf(base, [...libraries, basename(loader)]);
  for (const { name } of packages) takeLicence(base, image, name);
  takeOptional(base, image, 'etc/ssl/certs/ca-certificates.crt');
  takeOptional(base, image, 'usr/lib/os-release');
  takeOptional(base, image, 'etc/os-release');
  return { packages, machine };
}

/** All libraries that load with a program, by name. */
function librariesOf(base: string, program: Buffer, triplet: string): readonly string[] {
  const found = new Set<string>();
  const open = [...readElf(program).needed];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...readElf(readFileSync(findLibrary(base, triplet, name))).needed);
  }
  return [...found].toSorted();
}

function findLibrary(base: string, triplet: string, name: string): string {
  const folders = [`lib/${triplet}`, `usr/lib/${triplet}`, 'lib64', 'usr/lib64', 'lib', 'usr/lib'];
  const path = folders.map((folder) => join(base, folder, name)).find((each) => existsSync(each));
  if (path === undefined) throw new Error(`the base has no ${name}, which Node needs`);
  return realpathSync(path);
}

/** Debian's links from the root into `usr` would lead to the machine's own files. */
function inBase(base: string, path: string): string {
  const places = [join(base, path), join(base, 'usr', path)];
  const triplet = Object.values(triplets).map((each) => join(base, 'lib', each, basename(path)));
  const found = [...places, ...triplet].find((each) => existsSync(each));
  if (found === undefined) throw new Error(`the base has no ${path}`);
  return realpathSync(found);
}

/** The packages of the libraries by dpkg's records; none without records. */
function packagesOf(base: string, libraries: readonly string[]): readonly DebianPackage[] {
  const info = join(base, 'var/lib/dpkg/info');
  const lists = existsSync(info) ? readdirSync(info).filter((name) => name.endsWith('.list')) : [];
  const owners = lists
    .filter((list) => {
      const paths = readFileSync(join(info, list), 'utf8').split('\n');
      return paths.some((path) => libraries.includes(basename(path)) && path.includes('/lib'));
    })
    .map((list) => list.replace(/(:[a-z0-9]+)?\.list$/, ''));
  if (owners.length === 0) return [];
  const status = readFileSync(join(base, 'var/lib/dpkg/status'), 'utf8').split('\n\n');
  return [...new Set(owners)].toSorted().map((name) => {
    const entry = status.find((each) => each.startsWith(`Package: ${name}\n`)) ?? '';
    return { name, version: /^Version: (.*)$/m.exec(entry)?.[1] ?? 'unknown' };
  });
}

function takeLicence(base: string, image: string, name: string): void {
  takeOptional(base, image, `usr/share/doc/${name}/copyright`);
}

function takeOptional(base: string, image: string, path: string): void {
  const from = join(base, path);
  if (existsSync(from)) putFile(join(image, path), readFileSync(from));
}
