import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages } from '../../packages/server/test/support/production-packages.ts';
import { scriptPath } from '../processes/script-path.ts';

/** The packages that bring Node itself, one for each machine. */
const nodePackage = /^node_modules\/node-(bin-)?(darwin|linux)-/;

/**
 * What `npm ci --omit=dev` leaves on a disk without the package that is Node: the room of its files
 * as they lie in this install, in bytes.
 */
export function productionBytes(): number {
  return productionPackages()
    .filter(([place, { link }]) => link !== true && !nodePackage.test(place))
    .reduce((sum, [place]) => sum + roomOf(scriptPath(join('..', place))), 0);
}

/** A package's own files; those below it have an entry of their own. Missing ones take none. */
function roomOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  const own = found.blocks * 512;
  if (!found.isDirectory()) return own;
  const inner = readdirSync(path).filter((name) => name !== 'node_modules');
  return inner.reduce((sum, name) => sum + roomOf(join(path, name)), own);
}
