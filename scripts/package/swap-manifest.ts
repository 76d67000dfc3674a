import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// In the repository a package is its sources, which need no build. npm has no setting for the
// difference, so the published manifest is written before packing and removed afterwards.

/** Replaces the repository's manifest by the published one, and adds the license next to it. */
export function replaceManifest(folder: string, published: (source: string) => string): void {
  const source = readFileSync(join(folder, 'package.json'), 'utf8');
  writeFileSync(join(folder, backupName), source);
  writeFileSync(join(folder, 'package.json'), published(source));
  copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'));
}

/** Restores it; does nothing when the repository's is in place. */
export function restoreManifest(folder: string): void {
  const backup = join(folder, backupName);
  if (!existsSync(backup)) return;
  writeFileSync(join(folder, 'package.json'), readFileSync(backup, 'utf8'));
  rmSync(backup);
  rmSync(join(folder, 'LICENSE'));
}

/** Not within `dist`, which is packed. */
const backupName = '.package.source.json';
