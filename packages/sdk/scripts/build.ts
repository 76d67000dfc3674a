import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { exportsOf, type FlattenParts, flatten } from './declarations.ts';
import { replaceManifest, restoreManifest } from './manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/**
 * Builds `dist`: one CommonJS implementation, an ESM face for each entry, and types for both.
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

  const sources = join(emitted, 'sdk/src');
  for (const path of globSync('**/*.js', { cwd: sources })) {
    mkdirSync(dirname(join(dist, path)), { recursive: true });
    renameSync(join(sources, path), join(dist, path));
  }
  const packages = { '@model-gateway/contract': join(emitted, 'contract/src/index.d.ts') };
  const main = join(sources, 'index.d.ts');
  const shared = { from: './index.js', names: exportsOf(main).map(({ name }) => name) };
  writeEntry(join(dist, 'index'), { entry: main, packages });
  writeEntry(join(dist, 'testing'), { entry: join(sources, 'testing.d.ts'), packages, shared });
  rmSync(emitted, { recursive: true });
}

/** The types of an entry, and its ESM face, which only passes the CommonJS exports on. */
function writeEntry(path: string, parts: FlattenParts): void {
  const name = basename(path);
  const values = exportsOf(parts.entry).filter(({ isType }) => !isType);
  const names = values.map((value) => value.name).join(', ');
  writeFileSync(`${path}.d.ts`, flatten(parts));
  writeFileSync(`${path}.d.mts`, `export * from './${name}.js';\n`);
  writeFileSync(`${path}.mjs`, `export { ${names} } from './${name}.js';\n`);
}

main(process.argv[2]);
