import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf } from '../../../../harness/process.ts';
import { type FakeGateway, serveFakeGateway } from '../../test/fake-gateway.ts';
import { type Bundler, installBundlers, pageBundlers, serverBundlers } from './bundlers.ts';
import { type Packed, pack } from './pack.ts';

let packed: Packed;
let gateway: FakeGateway;

beforeAll(async () => {
  [packed, gateway] = await Promise.all([pack(), serveFakeGateway(), installBundlers()]);
  const programs = fileURLToPath(new URL('../consumers/run', import.meta.url));
  await cp(programs, packed.project, { recursive: true });
});

afterAll(async () => {
  gateway?.close();
  await packed?.remove();
});

/** Bundles a program into one file, and runs it away from the client's own files. */
async function bundleAndRun(bundler: Bundler, entry: string) {
  const { project } = packed;
  expect(await bundler.bundle(project, entry)).toMatchObject({ code: 0, stderr: '' });
  const output = join(project, bundler.output(entry));
  expect(await readFile(output, 'utf8')).not.toMatch(/(from|import) ?["']@model-gateway/);
  const env = { PATH: process.env.PATH, MODEL_GATEWAY_URL: gateway.baseUrl };
  return endOf(process.execPath, [output], { env });
}

describe('a program for a server', () => {
  test.each(serverBundlers)('runs as one file of $name', async (bundler) => {
    expect(await bundleAndRun(bundler, 'bundled.mjs')).toMatchObject({
      code: 0,
      stdout:
        '{"text":"You said: Hello","isOneClass":true,"run":"It is 7 degrees in Oslo.","ai":"You said: Hello","openai":"You said: Hello"}',
      stderr: '',
    });
  });
});

describe('a module that only distinguishes errors', () => {
  const shaking = serverBundlers.filter(({ name }) => !/ncc|cjs/.test(name));
  test.each(shaking)('has no other code of the client in its file of $name', async (bundler) => {
    const ended = await bundleAndRun(bundler, 'error-only.mjs');
    expect(ended).toMatchObject({ code: 0, stdout: 'false\n', stderr: '' });
    const output = join(packed.project, bundler.output('error-only.mjs'));
    expect(await readFile(output, 'utf8')).not.toContain('x-api-key');
  });
});

const refused =
  /^TypeError: create(Client|ModelGateway|OpenAiSettings): this is a browser.* would have the API key.*on your server.* false\n$/;

const pages = ['page.mjs', 'page-ai.mjs', 'page-openai.mjs'].flatMap((entry) =>
  pageBundlers.map((bundler) => ({ bundler, entry, name: `${entry} of ${bundler.name}` })),
);

describe('a page that makes a client', () => {
  test.each(pages)('is rejected with the reason: $name', async ({ bundler, entry }) => {
    const ended = await bundleAndRun(bundler, entry);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(refused), stderr: '' });
  });

  test('is rejected with the reason if a test runner resolves as browsers do', async () => {
    const page = join(packed.project, 'page.mjs');
    const ended = await endOf(process.execPath, ['--conditions=browser', page]);
    expect(ended.stdout).toMatch(refused);
    const cjs = `const { createClient } = require('@model-gateway/sdk'); createClient({});`;
    const options = ['--conditions=browser', '-e', cjs];
    const required = await endOf(process.execPath, options, { cwd: packed.project });
    expect(required).toMatchObject({ code: 1, stderr: expect.stringContaining('is a browser') });
  });

  test('is not rejected in a worker, which is a server', async () => {
    const options = ['--conditions=workerd', '--conditions=browser'];
    const program = join(packed.project, 'bundled.mjs');
    const env = { PATH: process.env.PATH, MODEL_GATEWAY_URL: gateway.baseUrl };
    const ended = await endOf(process.execPath, [...options, program], { env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });
});
