import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npm, type Packed, pack } from './pack.ts';

let packed: Packed;
beforeAll(async () => {
  packed = await pack();
});
afterAll(() => packed?.remove());

test('a registry gets the manifest of the published tarball', async () => {
  const printed: string[] = [];
  const registry = createServer(async (request, response) => {
    const body = await text(request);
    if (request.method === 'PUT') printed.push(body);
    response.writeHead(request.method === 'PUT' ? 201 : 404).end('{}');
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${Object(registry.address()).port}/`;
  const to = [`--registry=http://${host}`, `--//${host}:_authToken=none`, '--no-provenance'];
  await npm(packed.project, ['publish', packed.tarball, ...to]);
  registry.close();
  const installed = join(packed.project, 'node_modules/@model-gateway/sdk/package.json');
  const { exports, main, types } = JSON.parse(readFileSync(installed, 'utf8'));
  const [version] = printed.flatMap((body) => Object.values(Object(JSON.parse(body).versions)));
  expect(version).toMatchObject({ exports, main, types });
  expect(main).toBe('./dist/index.js');
});
