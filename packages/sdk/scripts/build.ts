import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildPackage, moveScripts } from '../../../scripts/package/build-package.ts';
import { exportsOf, type FlattenParts, flatten } from './declarations.ts';
import { publishedManifest } from './manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** One CommonJS implementation, an ESM face for each entry, and types for both. */
function fill(dist: string, emitted: string): void {
  const sources = join(emitted, 'sdk/src');
  moveScripts(sources, dist);
  const packages = { '@model-gateway/contract': join(emitted, 'contract/src/index.d.ts') };
  const main = join(sources, 'index.d.ts');
  const shared = { from: './index.js', names: exportsOf(main).map(({ name }) => name) };
  writeEntry(join(dist, 'index'), { entry: main, packages });
  writeEntry(join(dist, 'testing'), { entry: join(sources, 'testing.d.ts'), packages, shared });
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

buildPackage(process.argv[2], { folder, fill, publishedManifest });
