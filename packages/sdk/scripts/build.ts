import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildPackage } from '../../../scripts/package/build-package.ts';
import { type ExportedName, exportsOf, type FlattenParts, flatten } from './declarations.ts';
import { browserFaces, esmFace, esmModules, modulesOfEsm } from './faces.ts';
import { publishedManifest } from './manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** One CommonJS implementation, an ESM face for each entry, and types for both. */
async function fill(dist: string, emitted: string): Promise<void> {
  const sources = join(emitted, 'sdk/src');
  const packages = { '@model-gateway/contract': join(emitted, 'contract/src/index.d.ts') };
  const main = join(sources, 'index.d.ts');
  const shared = { from: './index.js', names: exportsOf(main).map(({ name }) => name) };
  writeEntry(join(dist, 'index'), { entry: main, packages });
  const others = ['ai', 'testing', 'web'].map((name) => ({
    name,
    entry: join(sources, `${name}.d.ts`),
  }));
  for (const { name, entry } of others) writeEntry(join(dist, name), { entry, packages, shared });
  const values = [main, ...others.map(({ entry }) => entry)].flatMap(valuesOf);
  await writeScripts(dist, values);
  for (const [name, code] of esmModules(join(folder, 'src'))) writeFileSync(join(dist, name), code);
  for (const name of ['index', 'ai']) {
    const { cjs, esm } = browserFaces(valuesOf(join(sources, `${name}.d.ts`)));
    writeFileSync(join(dist, `${name}.browser.js`), cjs);
    writeFileSync(join(dist, `${name}.browser.mjs`), esm);
  }
}

/**
 * The implementation, in few files: one for each module that a face names, and with it what no
 * other needs, so that a bundle has only what it uses.
 */
async function writeScripts(dist: string, values: readonly ExportedName[]): Promise<void> {
  const named = values.map(({ from }) => from.replace(/^\.\/|\.(ts|js)$/g, ''));
  const modules = ['index', 'ai', 'testing', 'web', 'browser', ...modulesOfEsm, ...named];
  const bundle = await rolldown({
    input: Object.fromEntries(modules.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    platform: 'node',
    external: /^node:/,
    transform: { target: 'es2022' },
    preserveEntrySignatures: 'allow-extension',
  });
  await bundle.write({
    ...{ dir: dist, format: 'cjs', exports: 'named', sourcemap: true },
    ...{ entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    // The names by which the files know each other take room in every bundle.
    ...{ minifyInternalExports: true, generatedCode: { symbols: false } },
  });
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

await buildPackage(process.argv[2], { folder, fill, publishedManifest });
