import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Assets, readAssets } from '../../src/admin-api/assets.ts';
import { securityHeaders } from '../../src/admin-api/http/http.ts';
import { noParts } from '../support/console.ts';

let folder: string;
let assets: Assets;

const files = [
  ['index.html', 'text/html; charset=utf-8', '<!doctype html><title>Here</title>'],
  ['main-abcdefgh.js', 'text/javascript; charset=utf-8', 'export const here = 1;'],
] as const;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assets-'));
  for (const [name, , text] of files) {
    await writeFile(join(folder, name), text);
    await writeFile(join(folder, `${name}.gz`), gzipSync(text));
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(text));
  }
  const manifest = files.map(([name, type]) => ({ name, type }));
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  assets = readAssets([pathToFileURL(join(folder, 'not-here/')), pathToFileURL(`${folder}/`)]);
  // The service serves the files that it read at startup, even after the folder is gone.
  await rm(folder, { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ask = (url: string, encodings?: string, method = 'GET') =>
  assets({
    ...{
      method,
      url,
      address: '127.0.0.1',
      chunks: noParts,
      disconnected: new AbortController().signal,
    },
    headers: { 'accept-encoding': encodings },
    body: async () => new Uint8Array(),
  });

const bodyOf = (answer: ReturnType<Assets>): Buffer => {
  if (!(answer.body instanceof Uint8Array)) throw new Error('the body is no bytes');
  return Buffer.from(answer.body);
};

test.each(['/console', '/console/', '/console/calls/req_1?a=b', '/console/apps/<script>'])(
  '%s is the page, which is never cached',
  (url) => {
    const answer = ask(url);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
    });
    expect(bodyOf(answer).toString()).toBe(files[0][2]);
  },
);

test('a file with a hash in its name is cached forever', () => {
  const answer = ask('/console/assets/main-abcdefgh.js');
  expect(answer.headers).toMatchObject({
    ...securityHeaders,
    'cache-control': 'private, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
  expect(bodyOf(answer).toString()).toBe(files[1][2]);
});

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['gzip;q=1.0, br;q=0', 'gzip', gunzipSync],
  ['GZIP', 'gzip', gunzipSync],
] as const)('a client that accepts %s gets %s', (accepted, encoding, unpack) => {
  const answer = ask('/console/', accepted);
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(unpack(bodyOf(answer)).toString()).toBe(files[0][2]);
});

test.each([undefined, '', 'identity', 'br;q=0, gzip;q=0.000', 'zstd'])(
  'a client that accepts %s gets the uncompressed file',
  (accepted) => {
    expect(ask('/console/', accepted).headers['content-encoding']).toBeUndefined();
  },
);

test.each(['../manifest.json', 'manifest.json', 'main-abcdefgh.js.gz', '%2e%2e/x', ''])(
  'there is no /console/assets/%s',
  (name) => {
    const { status, headers } = ask(`/console/assets/${name}`);
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  },
);

test('the files are read-only', () => {
  expect(ask('/console/', undefined, 'POST').status).toBe(405);
});

test('without built pages the response names the command to run', () => {
  assets = readAssets([pathToFileURL(join(folder, 'not-here/'))]);
  const { status, body } = ask('/console/');
  expect(status).toBe(503);
  expect(body).toMatch(/^The console is not built. Run "npm run build -w packages\/console" .*\n$/);
});
