import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyPackage } from './operator-files.ts';

/** The fields of a `package.json` that are used here. */
interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The oldest Node whose npm may install the package. */
const nodeMajorMin = 20;

/**
 * The packages to bundle: dependencies, direct or not, that require a newer Node than npm may run
 * on, with everything that they need. Otherwise npm would warn of each at every installation,
 * although the package brings the Node that runs them.
 */
export function findBundled(names: readonly string[], modules: string): readonly string[] {
  const bundled = new Set<string>();
  for (const name of closureOf(names, modules)) {
    if (!asksForNewer(manifestOf(name, modules))) continue;
    for (const needed of closureOf([name], modules)) bundled.add(needed);
  }
  return [...bundled].toSorted();
}

/** Copies them into the package's folder, without their requirement for a newer Node than npm's. */
export function bundle(names: readonly string[], modules: string, folder: string): void {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    copyPackage(join(modules, name), place);
    const { engines: _, ...manifest } = manifestOf(name, modules);
    writeFileSync(join(place, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/**
 * These packages and their dependencies, each once. A package has one path: npm has hoisted them.
 */
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

/** Whether every Node in a range is newer: `>=22.12.0`, `^22 || >=24`. */
function asksForNewer({ engines }: Manifest): boolean {
  const majors = (engines?.node ?? '')
    .split('||')
    .map((part) => Number(/\d+/.exec(part)?.[0] ?? 0));
  return Math.min(...majors) > nodeMajorMin;
}
