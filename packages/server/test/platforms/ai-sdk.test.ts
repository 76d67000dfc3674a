import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PlatformConfig } from '../../src/domain/platform.ts';
import { createPlatforms } from '../../src/platforms/create-platforms.ts';
import { createAiSdk } from '../../src/platforms/kinds/ai-sdk.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { aiSdkSubject } from './support/kinds.ts';
import { answering, type ScriptedServer, startScriptedServer } from './support/scripted-server.ts';
import {
  attemptAgainst,
  attemptOn,
  madeOf,
  modelRow,
  smallRequest,
  testClock,
  testContext,
} from './support/try-platform.ts';

const opened: { close(): Promise<void> }[] = [];
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-ai-sdk-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of opened.splice(0)) await one.close();
  await rm(folder, { recursive: true });
});

/** Installs a package of one file into the folder. */
async function install(name: string, source: string, manifest: object = { exports: './index.js' }) {
  const path = join(folder, 'node_modules', name);
  await mkdir(path, { recursive: true });
  const fields = { name, version: '1.0.0', type: 'module', ...manifest };
  await writeFile(join(path, 'package.json'), JSON.stringify(fields));
  await writeFile(join(path, 'index.js'), source);
}

function made(config: Partial<PlatformConfig> & { readonly package: string }): Platform {
  const platform = madeOf(
    createAiSdk({ name: 'other', kind: 'ai-sdk', ...config }, testContext, { folders: [folder] }),
  );
  opened.push(platform);
  return platform;
}

function problemOf(packageName: string, options = {}): string {
  const config = { name: 'other', kind: 'ai-sdk', package: packageName, options } as const;
  const created = createPlatforms({ configs: [config], clock: testClock, folders: [folder] });
  return 'problems' in created ? created.problems.join('\n') : 'none';
}

/** A provider whose models run `body`, with `fetch` and `options` available. */
const providerSource = (body: string, name = 'createTest') => `
export function ${name}({ fetch, ...settings }) {
  return {
    specificationVersion: 'v4',
    languageModel: (modelId) => ({
      specificationVersion: 'v4',
      provider: 'test',
      modelId,
      supportedUrls: {},
      async doGenerate(options) { ${body} },
    }),
  };
}
`;

/** A provider's result for a parsed response. */
const result = `({
  content: [{ type: 'text', text: 'hi' }],
  finishReason: { unified: 'stop', raw: 'end' },
  usage: { inputTokens: { total: 3 }, outputTokens: { total: 1 } },
  warnings: [],
})`;

const post = (more = '') =>
  `await fetch(settings.baseURL + '/go', { method: 'POST', body: '{}', ${more} })`;

async function openServer(status = 200, body = '{}'): Promise<ScriptedServer> {
  const server = await startScriptedServer(answering(status, body, { 'x-request-id': 'req_1' }));
  opened.push(server);
  return server;
}

describe('a real package', () => {
  const against = (fields: object, status = 200) =>
    attemptAgainst(aiSdkSubject.platformAt, answering(status, JSON.stringify(fields)));

  it('responds, with the counts that it read', async () => {
    expect(await against(aiSdkSubject.answer({}))).toMatchObject({
      kind: 'answered',
      content: [{ type: 'text', text: 'Hello there.' }],
      finish: 'stop',
      usage: { inputTokens: 19, outputTokens: 10 },
    });
  });

  it('gets the request in its own format, and the options', async () => {
    const server = await openServer();
    const options = { apiKey: 'key-of-mistral', baseURL: `${server.url}/v1` };
    await attemptOn(made({ package: '@ai-sdk/mistral', options }));
    const [request] = server.requests;
    expect(request?.head).toMatch(/^POST \/v1\/chat\/completions HTTP\/1\.1\r\n/);
    expect(request?.head).toContain('authorization: Bearer key-of-mistral');
    expect(request?.head).toContain('accept-encoding: identity');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      model: 'test-model',
      max_tokens: smallRequest.maxTokens,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }],
    });
  });

  it('prefers the configured baseUrl to its own', async () => {
    const server = await openServer();
    const options = { apiKey: 'key-of-mistral' };
    await attemptOn(made({ package: '@ai-sdk/mistral', options, baseUrl: `${server.url}/v9` }));
    expect(server.requests[0]?.head).toMatch(/^POST \/v9\/chat\/completions /);
  });

  // Packages raise the maximum by the model's thinking tokens: more than the call has reserved.
  it.each([
    [16_000, { type: 'enabled', budget_tokens: 15_999 }],
    [1_000, undefined],
  ])('with an effort requests no more than %d tokens', async (maxTokens, thinking) => {
    const server = await openServer();
    const options = { apiKey: 'key-of-claude', baseURL: server.url };
    const platform = made({ package: '@ai-sdk/anthropic', options });
    const row = modelRow('claude-haiku-4-5');
    const request = { ...smallRequest, maxTokens, reasoning: 'high' } as const;
    await attemptOn(platform, { model: platform.model(row), request });
    const body = JSON.parse(server.requests[0]?.body ?? '');
    expect(body).toMatchObject({ max_tokens: maxTokens });
    expect(body.thinking).toEqual(thinking);
  });

  it('whose request for more is signed is rejected before it is sent', async () => {
    const server = await openServer();
    const body = { max_tokens: smallRequest.maxTokens + 1, thinking: { budget_tokens: 1 } };
    const init = { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x' };
    const call = JSON.stringify({ ...init, headers });
    await install(
      'test',
      providerSource(`await fetch(settings.baseURL, ${call}); return ${result}`),
    );
    const platform = made({ package: 'test', baseUrl: server.url });
    expect(await attemptOn(platform)).toMatchObject({ kind: 'failed', billed: 'no' });
    expect(server.requests).toEqual([]);
  });

  it('without a key is the gateway’s own fault, and sends nothing', async () => {
    vi.stubEnv('MISTRAL_API_KEY', undefined);
    const server = await openServer();
    const options = { baseURL: server.url };
    expect(await attemptOn(made({ package: '@ai-sdk/mistral', options }))).toMatchObject({
      kind: 'failed',
      billed: 'no',
      isRetryable: false,
      isOwnFault: true,
    });
    expect(server.accepted()).toBe(0);
  });

  it('whose counts are 0 reports none: many write 0 for a missing count', async () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(await against(aiSdkSubject.answer({ extra: { usage } }))).toMatchObject({
      kind: 'answered',
      usage: { inputTokens: undefined, outputTokens: undefined },
    });
  });

  it('that only accepts a complete response may have been billed for any other', async () => {
    const outcome = await against(aiSdkSubject.answer({ extra: { usage: null } }));
    expect(outcome).toMatchObject({ kind: 'failed', billed: 'unknown', isRetryable: false });
  });

  it('keeps its options out of the log', async () => {
    const server = await openServer(401, '{"message":"no such key: key-of-mistral"}');
    const options = { apiKey: 'key-of-mistral', baseURL: server.url };
    const outcome = await attemptOn(made({ package: '@ai-sdk/mistral', options }));
    expect(outcome).toMatchObject({ code: 'AUTH', detail: expect.stringContaining('no such key') });
    expect(JSON.stringify(outcome)).not.toContain('key-of-mistral');
  });
});

describe('the result of an attempt comes from our own exchange', () => {
  const attempt = async (body: string, status = 200, answer = '{"secret":"answer"}') => {
    const server = await openServer(status, answer);
    await install('test', providerSource(body));
    const outcome = await attemptOn(made({ package: 'test', options: { baseURL: server.url } }));
    return { outcome, requests: server.requests.length };
  };

  it('a response has its headers', async () => {
    const { outcome } = await attempt(`${post()}; return ${result}`);
    expect(outcome).toEqual({
      kind: 'answered',
      content: [{ type: 'text', text: 'hi' }],
      finish: 'stop',
      finishRaw: 'end',
      usage: { inputTokens: 3, outputTokens: 1, doubts: [] },
      requestId: 'req_1',
    });
  });

  it.each([
    ['an error of its own', `${post()}; throw new Error('words of the caller')`],
    [
      'a status that nobody sent',
      `${post()}; throw Object.assign(new Error(), { statusCode: 400 })`,
    ],
  ])('%s after a 200 may have been billed', async (_, body) => {
    const { outcome } = await attempt(body);
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: false });
    expect(JSON.stringify(outcome)).not.toContain('words of the caller');
    expect(outcome).toMatchObject({ status: 200, requestId: 'req_1' });
  });

  it('a rejection stays a rejection, whatever the package makes of it', async () => {
    const { outcome } = await attempt(`${post()}; throw new Error('odd')`, 503);
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'no', isRetryable: true, status: 503 });
  });

  it('a second request is not sent, and the first may have been billed', async () => {
    const { outcome, requests } = await attempt(`${post()}; ${post()}; return ${result}`);
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: false });
    expect(requests).toBe(1);
  });

  it('a body that is not text is BAD_REQUEST, and is not sent', async () => {
    const { outcome, requests } = await attempt(`${post('body: new FormData()')}`);
    expect(outcome).toMatchObject({ code: 'BAD_REQUEST', billed: 'no' });
    expect(requests).toBe(0);
  });

  it('the response can be read in each of the ways of a fetch', async () => {
    const body = `
      const response = ${post()};
      const bytes = new TextDecoder().decode(await response.arrayBuffer());
      const chunk = await response.body.getReader().read();
      const texts = [await response.text(), bytes, new TextDecoder().decode(chunk.value)];
      texts.push(JSON.stringify(await response.json()), response.headers.get('X-Request-Id'));
      const { content, ...rest } = ${result};
      return { ...rest, content: [{ type: 'text', text: texts.join() }] };`;
    const { outcome } = await attempt(body, 200, '{"a":1}');
    const text = '{"a":1},{"a":1},{"a":1},{"a":1},req_1';
    expect(outcome).toMatchObject({ content: [{ type: 'text', text }] });
  });

  it('the call’s signal is effective, though the package forwards none', async () => {
    const controller = new AbortController();
    const server = await startScriptedServer(() => controller.abort());
    opened.push(server);
    await install('test', providerSource(`${post()}; return ${result}`));
    const platform = made({ package: 'test', options: { baseURL: server.url } });
    const outcome = await attemptOn(platform, { signal: controller.signal });
    expect(outcome).toMatchObject({ code: 'SERVER', billed: 'unknown', isRetryable: false });
  });

  it('an invalid base URL is the gateway’s own fault', async () => {
    await install('test', providerSource(`${post()}; return ${result}`));
    const outcome = await attemptOn(made({ package: 'test', options: { baseURL: 'nowhere' } }));
    expect(outcome).toMatchObject({ billed: 'no', isOwnFault: true });
  });
});

describe('a package is found and its factory chosen', () => {
  const works = providerSource(`return ${result}`);

  it.each([
    ['by its only factory', '@acme/models', works],
    ['by the one that is named for it', '@acme/te-st', `${works} export const createOther = 1;`],
    [
      'by the one that is named for it, among several',
      '@acme/te-st',
      `${works} export function createClient() {}`,
    ],
  ])('%s', async (_, name, source) => {
    await install(name, source);
    expect(await attemptOn(made({ package: name }))).toMatchObject({ kind: 'answered' });
  });

  it('by the condition of an import', async () => {
    const exports = { '.': { require: './no.cjs', import: { default: './index.js' } } };
    await install('test', works, { exports });
    expect(await attemptOn(made({ package: 'test' }))).toMatchObject({ kind: 'answered' });
  });

  it('by its main file', async () => {
    await install('test', works, { main: 'index.js' });
    expect(await attemptOn(made({ package: 'test' }))).toMatchObject({ kind: 'answered' });
  });

  it.each([
    [
      'has several factories and none of its name',
      'export function createA() {} export function createB() {}',
      'test does not have exactly one createX export with its name; it exports createA, createB',
    ],
    [
      'has none',
      'export const a = 1',
      'test does not have exactly one createX export with its name; it exports a',
    ],
    [
      'exports nothing',
      '',
      'test does not have exactly one createX export with its name; it exports nothing by name',
    ],
    [
      'makes something else',
      'export const createTest = () => ({})',
      'createTest of test 1.0.0 does not return a provider of the AI SDK 7; run "npm install test@latest"',
    ],
    [
      'is of the AI SDK 6',
      "export const createTest = () => ({ specificationVersion: 'v3', languageModel() {} })",
      'createTest of test 1.0.0 returns a provider of the AI SDK 6, not of the AI SDK 7; run "npm install test@latest"',
    ],
    [
      'is of the AI SDK 5, whose models alone state a version',
      "export const createTest = () => ({ languageModel: () => ({ specificationVersion: 'v2' }) })",
      'createTest of test 1.0.0 returns a provider of the AI SDK 5, not of the AI SDK 7; run "npm install test@latest"',
    ],
    [
      'refuses its options',
      'export function createTest({ apiKey }) { throw new TypeError(apiKey) }',
      'createTest of test rejected its options: TypeError',
    ],
    ['fails', 'throw new Error("at once")', 'the package test cannot be loaded: at once'],
    ['waits', 'await 1', 'the package test cannot be loaded: ERR_REQUIRE_ASYNC_MODULE'],
  ])('or startup is rejected in one line, for a package that %s', async (_, source, problem) => {
    await install('test', source);
    expect(problemOf('test', { apiKey: 'secret' })).toBe(`platforms.other: ${problem}`);
  });

  it('or startup is rejected in one line, for an invalid name', () => {
    const name = '@ai-sdk/no-such-provider';
    expect(problemOf(name)).toBe(
      `platforms.other: the package ${name} was not found in ${folder}; run "npm install ${name}"`,
    );
  });

  it('a model of another interface is BAD_REQUEST', async () => {
    const source = works.replace("specificationVersion: 'v4',\n      provider", 'provider');
    await install('test', source);
    const outcome = await attemptOn(made({ package: 'test' }));
    expect(outcome).toMatchObject({ code: 'BAD_REQUEST', billed: 'no' });
  });
});
