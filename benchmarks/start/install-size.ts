import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { productionPackages } from '../../packages/server/test/support/production-packages.ts';
import { scriptPath } from '../processes/script-path.ts';

/** The packages that contain Node itself, one for each machine. */
const nodePackage = /^node_modules\/node-(bin-)?(darwin|linux)-/;

/**
 * The disk space of `npm ci --omit=dev` without the package of Node: the files' blocks in this
 * install, in bytes.
 */
export function productionBytes(): number {
  return productionPackages()
    .filter(([path, { link }]) => link !== true && !nodePackage.test(path))
    .reduce((sum, [path]) => sum + sizeOf(scriptPath(join('..', path))), 0);
}

/** A package's own files; nested packages have their own entry. Missing packages count 0. */
function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  const own = stats.blocks * 512;
  if (!stats.isDirectory()) return own;
  const inner = readdirSync(path).filter((name) => name !== 'node_modules');
  return inner.reduce((sum, name) => sum + sizeOf(join(path, name)), own);
}
