import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { replaceManifest, restoreManifest } from './swap-manifest.ts';

/** The differences between the builds of this repository's packages. */
export interface PackageParts {
  readonly folder: string;
  /** Fills `dist` from the compiler's output for the packages, folder by folder. */
  readonly fill: (dist: string, emitted: string) => void | Promise<void>;
  /** The `package.json` to pack, made from the repository's. */
  readonly publishedManifest: (source: string) => string;
  /** Adds the other packed files next to `dist`, and removes them again. */
  readonly companions?: { readonly add: () => void; readonly remove: () => void };
}

/**
 * Builds `dist`. `--pack` also replaces the manifest by the published one, and `--unpack` restores
 * it: npm runs them as `prepack` and `postpack`.
 */
export async function buildPackage(mode: string | undefined, parts: PackageParts): Promise<void> {
  const { folder, publishedManifest, companions } = parts;
  restoreManifest(folder);
  companions?.remove();
  if (mode === '--unpack') return;
  await build(parts);
  if (mode !== '--pack') return;
  replaceManifest(folder, publishedManifest);
  companions?.add();
}

async function build({ folder, fill }: PackageParts): Promise<void> {
  const dist = join(folder, 'dist');
  const emitted = join(dist, '.emitted');
  rmSync(dist, { recursive: true, force: true });
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const project = join(folder, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });
  await fill(dist, emitted);
  rmSync(emitted, { recursive: true });
}

/** Moves every file of JavaScript, with the folders that it is in. */
export function moveScripts(from: string, to: string): void {
  for (const path of globSync('**/*.js', { cwd: from })) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    renameSync(join(from, path), join(to, path));
  }
}
