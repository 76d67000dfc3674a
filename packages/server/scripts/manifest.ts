import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The published `package.json`: the built files, what they need from a registry, and the Node that
 * runs them, as the repository itself brings it (ADR 0008). In the repository the package is its
 * sources, so this is written before packing and taken back afterwards.
 */
export function publishedManifest(source: string, root: string): string {
  const { scripts: _, devDependencies: __, dependencies, ...manifest } = JSON.parse(source);
  const { engines, optionalDependencies } = JSON.parse(root);
  const others = Object.entries(dependencies).filter(
    ([name]) => !name.startsWith('@model-gateway/'),
  );
  const published = {
    ...manifest,
    engines,
    dependencies: Object.fromEntries(others),
    optionalDependencies,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

/** Puts the published manifest in the place of the repository's. */
export function replaceManifest(folder: string): void {
  const source = readFileSync(join(folder, 'package.json'), 'utf8');
  const root = readFileSync(join(folder, '../../package.json'), 'utf8');
  writeFileSync(join(folder, keptName), source);
  writeFileSync(join(folder, 'package.json'), publishedManifest(source, root));
  copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'));
}

/** Takes it back; does nothing when the repository's is in place. */
export function restoreManifest(folder: string): void {
  const kept = join(folder, keptName);
  if (!existsSync(kept)) return;
  writeFileSync(join(folder, 'package.json'), readFileSync(kept, 'utf8'));
  rmSync(kept);
  rmSync(join(folder, 'LICENSE'));
}

/** Not within `dist`, which is packed. */
const keptName = '.package.source.json';
