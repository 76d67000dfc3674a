import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { folder, inputOptions, styleSheets } from './sources.ts';

// Builds the pages: scripts, the style and the icon with content hashes in their names, each
// compressed once, and a manifest. It fetches nothing.

/** The output folder, `dist` by default. */
const dist = process.argv[2] === undefined ? new URL('dist/', folder) : folderUrl(process.argv[2]);

/** A file of the pages, as listed in the manifest. */
interface Made {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

const script = 'text/javascript; charset=utf-8';

/**
 * All pages but the lazy ones. Their shared code is in the first load, so each waits for one file,
 * not for that file's imports too.
 */
const first = {
  name: 'base',
  test: /^(?!.*src[/\\](later|pages[/\\](?!budget-dialog|today[/\\])))/,
};

const scripts = await bundle();
const style = hashed('console', 'css', 'text/css; charset=utf-8', styleSheets);
const icon = hashed('icon', 'svg', 'image/svg+xml', ['src/icon.svg']);
const main = scripts.find(({ name }) => name.startsWith('main-'));
if (main === undefined) throw new Error('the bundle has no main script');
const index: Made = {
  name: 'index.html',
  type: 'text/html; charset=utf-8',
  bytes: Buffer.from(page({ script: main.name, style: style.name, icon: icon.name })),
};
write([index, style, icon, ...scripts]);

async function bundle(): Promise<readonly Made[]> {
  const build = await rolldown({
    ...inputOptions,
    input: { main: 'src/main.tsx' },
    preserveEntrySignatures: false,
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [first], includeDependenciesRecursively: false },
  });
  await build.close();
  return output.flatMap((one) =>
    one.type === 'chunk'
      ? [{ name: one.fileName, type: script, bytes: Buffer.from(one.code) }]
      : [],
  );
}

function folderUrl(path: string): URL {
  return pathToFileURL(join(path, '/'));
}

function hashed(name: string, ending: string, type: string, sources: readonly string[]): Made {
  const bytes = Buffer.concat(sources.map((source) => readFileSync(new URL(source, folder))));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  return { name: `${name}-${hash}.${ending}`, type, bytes };
}

function page(names: {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}): string {
  const assetsPath = '/console/assets/';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Model Gateway</title>
<link rel="icon" href="${assetsPath}${names.icon}">
<link rel="stylesheet" href="${assetsPath}${names.style}">
<script type="module" src="${assetsPath}${names.script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript; the command line has all of it as well.</noscript>
</body>
</html>
`;
}

function write(files: readonly Made[]): void {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  for (const { name, bytes } of files) {
    writeFileSync(new URL(name, dist), bytes);
    writeFileSync(new URL(`${name}.gz`, dist), gzipSync(bytes, { level: 9 }));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(new URL(`${name}.br`, dist), brotliCompressSync(bytes, { params: quality }));
  }
  const manifest = files.map(({ name, type }) => ({ name, type }));
  writeFileSync(new URL('manifest.json', dist), `${JSON.stringify(manifest, null, 2)}\n`);
}
