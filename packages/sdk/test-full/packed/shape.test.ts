import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf } from '../../../../harness/process.ts';
import { describeApi, minifiedBytes } from '../../scripts/api.ts';
import { type Packed, pack, root } from './pack.ts';

const bytesMax = 14_000;
let packed: Packed;
let installed: string;

beforeAll(async () => {
  packed = await pack();
  installed = join(packed.project, 'node_modules/@model-gateway/sdk');
});

afterAll(() => packed?.remove());

function readInstalled(name: string): string {
  return readFileSync(join(installed, name), 'utf8');
}

describe('the packed client', () => {
  test('has nothing that publint would change', async () => {
    const bytes = readFileSync(packed.tarball);
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const { messages } = await publint({ pack: { tarball }, strict: true });
    expect(messages).toEqual([]);
  });

  test('has correct types in every kind of resolution, by attw', async () => {
    const tarball = createPackageFromTarballData(new Uint8Array(readFileSync(packed.tarball)));
    const result = await checkPackage(tarball);
    expect(result).toMatchObject({ types: { kind: 'included' }, problems: [] });
    const kinds = ['node10', 'node16-cjs', 'node16-esm', 'bundler'];
    for (const entry of ['.', './ai', './openai', './testing', './web']) {
      const resolutions = 'entrypoints' in result ? result.entrypoints[entry]?.resolutions : {};
      expect(Object.keys(resolutions ?? {}).sort()).toEqual([...kinds].sort());
    }
  });

  test('has no dependencies, and runs nothing at its installation', () => {
    const manifest: unknown = JSON.parse(readInstalled('package.json'));
    for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'scripts']) {
      expect(manifest).not.toHaveProperty(field);
    }
    expect(manifest).toMatchObject({ name: '@model-gateway/sdk', engines: { node: '>=18' } });
  });

  test('names no other package of the repository, and no source of it', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const built = files.filter((name) => /\.(js|mjs|ts|mts)$/.test(name));
    expect(built).toContain(join('dist', 'index.d.ts'));
    for (const name of built) {
      const text = readInstalled(name);
      expect(text).not.toContain('@model-gateway/contract');
      expect(text).not.toMatch(/from '[^']*\.ts'|require\("[^"]*\.ts"\)/);
    }
    expect(files).toEqual(
      expect.arrayContaining(['CHANGELOG.md', 'README.md', 'LICENSE', 'package.json']),
    );
    expect(files.filter((name) => /^(src|test|scripts)/.test(name))).toEqual([]);
  });

  test('has a source map for each script, with its sources in it', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const faces = /(browser|index|dist.ai|dist.openai|testing|web)\.js$/;
    const scripts = files.filter((name) => name.endsWith('.js') && !faces.test(name));
    const mapped = new Set<string>();
    for (const name of scripts) {
      expect(readInstalled(name)).toMatch(/\/\/# sourceMappingURL=[\w-]+\.js\.map\n?$/);
      const map: unknown = JSON.parse(readInstalled(`${name}.map`));
      const folder = join('packages/sdk/dist', dirname(name).replace(/^dist\/?/, ''));
      const { sources, sourcesContent } = Object(map);
      const paths: string[] = sources.map((source: string) => join(root, folder, source));
      expect(sourcesContent).toEqual(paths.map((path) => readFileSync(path, 'utf8')));
      for (const path of paths) mapped.add(path);
    }
    expect(mapped.size).toBeGreaterThan(20);
  });

  test('reads rejections: no name of the language was shortened', async () => {
    const program = join(packed.project, 'refused.mjs');
    const text = `import { createClient } from '@model-gateway/sdk';
const headers = { 'retry-after': '7', 'x-budget-scope': 'app-day' };
const body = JSON.stringify({ error: { code: 'BUDGET_EXCEEDED', message: 'no' } });
const fetch = async () => new Response(body, { status: 429, headers });
const client = createClient({ baseUrl: 'http://a.test/v1', apiKey: 'k', fetch, maxAttempts: 1 });
const error = await client.usage().catch((thrown) => thrown);
console.log(error.code, error.status, error.retryAfterMs, error.budgetScope);`;
    writeFileSync(program, text);
    const { stdout } = await endOf(process.execPath, [program]);
    expect(stdout).toBe('BUDGET_EXCEEDED 429 7000 app-day\n');
  });

  test('has source lines in stacks, if Node enables source maps', async () => {
    const program = join(packed.project, 'stack.cjs');
    const text = "require('@model-gateway/sdk').createClient({ baseUrl: 7 });";
    writeFileSync(program, text);
    const { stderr } = await endOf(process.execPath, ['--enable-source-maps', program]);
    expect(stderr).toMatch(/at .*checkBaseUrl.*src\/lib\/checks\.ts:\d+:\d+/);
  });

  test('leaves the manifest of the repository as it was', () => {
    const manifest = readFileSync(join(root, 'packages/sdk/package.json'), 'utf8');
    const copy = join(packed.project, '../repository/packages/sdk');
    expect(readFileSync(join(copy, 'package.json'), 'utf8')).toBe(manifest);
    expect(readdirSync(copy)).not.toContain('.package.source.json');
  });
});

describe('the surface', () => {
  test(`is below ${bytesMax} bytes, minified and gzipped`, async () => {
    const bytes = await minifiedBytes(join(installed, 'dist/index.mjs'));
    console.info(`the client has ${bytes} bytes, minified and gzipped`);
    expect(bytes).toBeLessThan(bytesMax);
  });

  test('equals api.txt; node packages/sdk/scripts/api.ts writes it', async () => {
    const written = readFileSync(join(root, 'packages/sdk/api.txt'), 'utf8');
    expect(await describeApi(installed)).toBe(written);
  });
});
