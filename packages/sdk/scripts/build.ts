import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildPackage, moveScripts } from '../../../scripts/package/build-package.ts';
import { type ExportedName, exportsOf, type FlattenParts, flatten } from './declarations.ts';
import { browserFaces, esmFace, esmModules } from './faces.ts';
import { publishedManifest } from './manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** One CommonJS implementation, an ESM face for each entry, and types for both. */
function fill(dist: string, emitted: string): void {
  const sources = join(emitted, 'sdk/src');
  moveScripts(sources, dist);
  moveMaps(sources, dist);
  const packages = { '@model-gateway/contract': join(emitted, 'contract/src/index.d.ts') };
  const main = join(sources, 'index.d.ts');
  const shared = { from: './index.js', names: exportsOf(main).map(({ name }) => name) };
  writeEntry(join(dist, 'index'), { entry: main, packages });
  writeEntry(join(dist, 'testing'), { entry: join(sources, 'testing.d.ts'), packages, shared });
  for (const [name, code] of esmModules(join(folder, 'src'))) writeFileSync(join(dist, name), code);
  const { cjs, esm } = browserFaces(valuesOf(main));
  writeFileSync(join(dist, 'index.browser.js'), cjs);
  writeFileSync(join(dist, 'index.browser.mjs'), esm);
}

/** Moves the source maps. The sources are within them, under the names that they have here. */
function moveMaps(from: string, dist: string): void {
  for (const path of globSync('**/*.js.map', { cwd: from })) {
    const map: object = JSON.parse(readFileSync(join(from, path), 'utf8'));
    const source = join('src', path.replace(/\.js\.map$/, '.ts'));
    const sources = [join(relative(dirname(path), '.'), '..', source)];
    writeFileSync(join(dist, path), JSON.stringify({ ...map, sources }));
  }
}

/** The types of an entry, and its ESM face, which only passes the CommonJS exports on. */
function writeEntry(path: string, parts: FlattenParts): void {
  const name = basename(path);
  writeFileSync(`${path}.d.ts`, flatten(parts));
  writeFileSync(`${path}.d.mts`, `export * from './${name}.js';\n`);
  writeFileSync(`${path}.mjs`, esmFace(valuesOf(parts.entry)));
}

function valuesOf(entry: string): readonly ExportedName[] {
  return exportsOf(entry).filter(({ isType }) => !isType);
}

buildPackage(process.argv[2], { folder, fill, publishedManifest });
