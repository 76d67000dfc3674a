import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOf, run } from '../../../harness/process.ts';

const script = join(import.meta.dirname, '../scripts/build.ts');
let folder: string;
let names: readonly string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-build-'));
  await run(process.execPath, [script, folder]);
  names = await namesOf(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function namesOf(path: string): Promise<readonly string[]> {
  const manifest: readonly { readonly name: string }[] = JSON.parse(
    await readFile(join(path, 'manifest.json'), 'utf8'),
  );
  return manifest.map(({ name }) => name);
}

const bytesOf = (name: string) => readFile(join(folder, name));

/** The gzipped size of files. */
async function sent(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (name) => (await bytesOf(`${name}.gz`)).length));
  return sizes.reduce((total, size) => total + size, 0);
}

/** A script and all its imports before it runs. */
async function withImports(name: string, names = new Set<string>()): Promise<readonly string[]> {
  names.add(name);
  const text = String(await bytesOf(name));
  for (const [, other = ''] of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) {
    if (!names.has(other)) await withImports(other, names);
  }
  return [...names];
}

test('the first page loads at most 60 kB, with 10 of style, and all pages 100', async () => {
  const page = String(await bytesOf('index.html'));
  const entry = /src="\/console\/assets\/([^"]+)"/.exec(page)?.[1] ?? 'no entry';
  const styles = names.filter((name) => name.endsWith('.css'));
  expect(styles).toHaveLength(1);
  expect(await sent(styles)).toBeLessThanOrEqual(10_000);
  expect(await withImports(entry)).toEqual([entry]);
  const first = ['index.html', ...styles, entry];
  expect(await sent(first)).toBeLessThanOrEqual(60_000);
  expect(await sent(names)).toBeLessThanOrEqual(100_000);
});

test('the first page waits for one script, and each other page for one more', async () => {
  const page = String(await bytesOf('index.html'));
  const entry = /src="\/console\/assets\/([^"]+)"/.exec(page)?.[1] ?? 'no entry';
  const lazyScripts = names.filter((name) => name.endsWith('.js') && name !== entry);
  expect(lazyScripts).toHaveLength(2);
  for (const name of lazyScripts) expect(await withImports(name)).toEqual([name, entry]);
});

test('every file is served unchanged, with gzip and with brotli', async () => {
  for (const name of names) {
    const plain = await bytesOf(name);
    expect(gunzipSync(await bytesOf(`${name}.gz`)).equals(plain)).toBe(true);
    expect(brotliDecompressSync(await bytesOf(`${name}.br`)).equals(plain)).toBe(true);
  }
});

test('all files but the page are named by content, the same in each build', async () => {
  for (const name of names.filter((each) => each !== 'index.html')) {
    expect(name).toMatch(/^[\w-]+-[\w-]{8}\.(js|css|svg)$/);
  }
  const again = join(folder, 'again');
  await run(process.execPath, [script, again]);
  expect(await namesOf(again)).toEqual(names);
});

test('the page has no inline script or style, and requests no other host', async () => {
  const page = String(await bytesOf('index.html'));
  expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|https?:/);
  const scripts = page.match(/<script.*?<\/script>/gs) ?? [];
  expect(scripts.length).toBeGreaterThan(0);
  for (const tag of scripts) {
    expect(tag).toMatch(/^<script type="module" src="\/console\/assets\/[\w-]+\.js"><\/script>$/);
  }
});

test('the build prints no warning', async () => {
  const { code, output } = await endOf(process.execPath, [script, join(folder, 'once')]);
  expect([code, output]).toEqual([0, '']);
});
