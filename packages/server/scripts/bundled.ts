import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyPackage } from './operator-files.ts';

/** As much of a `package.json` as matters here. */
interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The oldest Node whose npm may install the package. */
const nodeMajorMin = 20;

/**
 * The packages that are to be inside the server's: those among its dependencies, and theirs, that
 * ask for a newer Node than npm may run on, with all that these need. npm would warn of each at
 * every installation, though the Node that runs them comes along.
 */
export function findBundled(names: readonly string[], modules: string): readonly string[] {
  const bundled = new Set<string>();
  for (const name of closureOf(names, modules)) {
    if (!asksForNewer(manifestOf(name, modules))) continue;
    for (const needed of closureOf([name], modules)) bundled.add(needed);
  }
  return [...bundled].toSorted();
}

/** Copies them into the package's folder, without the wish for a Node that npm may not be. */
export function bundle(names: readonly string[], modules: string, folder: string): void {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    copyPackage(join(modules, name), place);
    const { engines: _, ...manifest } = manifestOf(name, modules);
    writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/** These packages and all that they need, each once. One place a package: npm has hoisted them. */
function closureOf(names: readonly string[], modules: string): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    if (existsSync(join(modules, name, 'node_modules'))) {
      throw new Error(`${name} has packages of its own below it: teach bundled.ts to take them`);
    }
    open.push(...Object.keys(manifestOf(name, modules).dependencies ?? {}));
  }
  return found;
}

function manifestOf(name: string, modules: string): Manifest {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
}

/** Whether every Node that a range names is newer: `>=22.12.0`, `^22 || >=24`. */
function asksForNewer({ engines }: Manifest): boolean {
  const majors = (engines?.node ?? '')
    .split('||')
    .map((part) => Number(/\d+/.exec(part)?.[0] ?? 0));
  return Math.min(...majors) > nodeMajorMin;
}
