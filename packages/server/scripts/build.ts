import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { replaceManifest, restoreManifest } from './manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Packages of this repository that go into the server's: they are in no registry. */
const inner = ['contract', 'sdk', 'simulator'] as const;

/**
 * Builds `dist`: the sources as JavaScript, file by file, with those of the packages that they use.
 * `--pack` also puts the published manifest in place, and `--unpack` takes it back: npm runs them
 * as `prepack` and `postpack`.
 */
function main(mode: string | undefined): void {
  restoreManifest(folder);
  if (mode === '--unpack') return;
  build();
  if (mode === '--pack') replaceManifest(folder);
}

function build(): void {
  const dist = join(folder, 'dist');
  const emitted = join(dist, '.emitted');
  rmSync(dist, { recursive: true, force: true });
  const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const project = join(folder, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '-p', project], { stdio: 'inherit' });

  move(join(emitted, 'server/src'), dist);
  for (const name of inner) move(join(emitted, name, 'src'), join(dist, 'packages', name));
  rmSync(emitted, { recursive: true });
  for (const path of globSync('**/*.js', { cwd: dist })) nameInnerPackages(dist, path);
  const migrations = 'store/migrations';
  cpSync(join(folder, 'src', migrations), join(dist, migrations), { recursive: true });
}

function move(from: string, to: string): void {
  for (const path of globSync('**/*.js', { cwd: from })) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    renameSync(join(from, path), join(to, path));
  }
}

/** Names the packages of this repository by their place, since nobody can install them. */
function nameInnerPackages(dist: string, path: string): void {
  const file = join(dist, path);
  const text = readFileSync(file, 'utf8');
  const named = text.replaceAll(/(from )'@model-gateway\/(\w+)'/g, (_all, from, name) => {
    const place = relative(dirname(path), join('packages', name, 'index.js'));
    return `${from}'${place.startsWith('.') ? place : `./${place}`}'`;
  });
  if (named !== text) writeFileSync(file, named);
}

main(process.argv[2]);
