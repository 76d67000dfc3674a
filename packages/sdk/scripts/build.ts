import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildPackage } from '../../../scripts/package/build-package.ts';
import { exportsOf, type FlattenParts, flatten } from './declarations.ts';
import { browserFaces } from './faces.ts';
import { checkInnerNames, innerNamesPlugins } from './inner-names.ts';
import { publishedManifest } from './manifest.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

const entries = ['index', 'ai', 'openai', 'testing', 'web'] as const;
/** Entries that make a client; browsers get another form of them. */
const refusedInBrowsers = ['index', 'ai', 'openai'];

/** CommonJS, ESM and types of each entry; both forms share only the error classes. */
async function fill(dist: string, emitted: string): Promise<void> {
  const sources = join(emitted, 'sdk/src');
  const packages = { '@model-gateway/contract': join(emitted, 'contract/src/index.d.ts') };
  const declared = (name: string) => join(sources, `${name}.d.ts`);
  const names = exportsOf(declared('index')).map(({ name }) => name);
  for (const name of entries) {
    const shared = name === 'index' ? undefined : { from: './index.js', names };
    writeTypes(join(dist, name), { entry: declared(name), packages, shared });
  }
  const refused = refusedInBrowsers.map((name) => ({
    name,
    ...browserFaces(exportsOf(declared(name)).filter(({ isType }) => !isType)),
  }));
  await writeScripts(
    dist,
    refused.flatMap(({ modules }) => modules),
  );
  for (const { name, cjs, esm } of refused) {
    writeFileSync(join(dist, `${name}.browser.js`), cjs);
    writeFileSync(join(dist, `${name}.browser.mjs`), esm);
  }
}

/**
 * The implementation, once as CommonJS and once as ESM. A bundler can neither turn a `require` of a
 * Node module into an import, nor leave out unused CommonJS. Both share one file of error classes,
 * so each class exists once.
 */
async function writeScripts(dist: string, modules: readonly string[]): Promise<void> {
  const inputOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [basename(name), join(folder, 'src', `${name}.ts`)]));
  const shared = {
    platform: 'node' as const,
    transform: { target: 'es2022' },
    plugins: innerNamesPlugins(),
    preserveEntrySignatures: 'allow-extension' as const,
  };
  // The names that the files export to each other add to every bundle.
  const output = { dir: dist, minifyInternalExports: true, sourcemap: true } as const;
  const cjs = await rolldown({
    ...shared,
    input: inputOf([...entries, ...modules, 'browser', 'call/llm-error']),
    external: /^node:/,
  });
  await cjs.write({
    ...{ ...output, format: 'cjs', exports: 'named', generatedCode: { symbols: false } },
    ...{ entryFileNames: '[name].js', chunkFileNames: '[name].js' },
  });
  const esm = await rolldown({
    ...shared,
    input: inputOf([...entries, ...modules]),
    external: /^node:|llm-error\.ts$/,
  });
  await esm.write({
    ...{
      ...output,
      format: 'esm',
      paths: (id: string) => (id.startsWith('node:') ? id : './llm-error.js'),
    },
    ...{ entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
  });
}

/** The types of an entry, for each of its forms. */
function writeTypes(path: string, parts: FlattenParts): void {
  const types = flatten(parts);
  checkInnerNames(types);
  writeFileSync(`${path}.d.ts`, types);
  writeFileSync(`${path}.d.mts`, `export * from './${basename(path)}.js';\n`);
}

await buildPackage(process.argv[2], { folder, fill, publishedManifest });
