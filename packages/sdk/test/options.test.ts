import { describe, expect, test } from 'vitest';
import { createClient, LlmError } from '../src/index.ts';
import { apiKey, chatAnswer, chatRequest, openScripted } from './scripted-client.ts';
import { answer } from './scripted-fetch.ts';

interface BadOptions {
  readonly name: string;
  readonly options: unknown;
  readonly cure: RegExp;
}

const good = { baseUrl: 'https://gateway.test/v1', apiKey };

/** A call from plain JavaScript, without a compiler that rejects the argument. */
function callUntyped(target: (...values: never[]) => unknown, ...values: unknown[]): unknown {
  return Reflect.apply(target, undefined, values);
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const badClientOptions: readonly BadOptions[] = [
  { name: 'no options', options: undefined, cure: /object with baseUrl, apiKey/ },
  { name: 'null', options: null, cure: /object with baseUrl, apiKey/ },
  { name: 'no baseUrl', options: { apiKey }, cure: /baseUrl is missing; set it/ },
  { name: 'an empty baseUrl', options: { ...good, baseUrl: '' }, cure: /baseUrl is missing/ },
  { name: 'no URL', options: { ...good, baseUrl: 'gateway' }, cure: /use for example https:/ },
  {
    name: 'another protocol',
    options: { ...good, baseUrl: 'ftp://a/v1' },
    cure: /HTTP or HTTPS/,
  },
  {
    name: 'a host without protocol',
    options: { ...good, baseUrl: 'a.test:80/v1' },
    cure: /http/,
  },
  {
    name: 'a trailing slash',
    options: { ...good, baseUrl: `${good.baseUrl}/` },
    cure: /remove the slash/,
  },
  {
    name: 'no version',
    options: { ...good, baseUrl: 'https://a.test' },
    cure: /end with the version/,
  },
  {
    name: 'a query',
    options: { ...good, baseUrl: 'https://a.test/v1?a=b' },
    cure: /no user, password, query/,
  },
  {
    name: 'a password',
    options: { ...good, baseUrl: 'https://u:pw123@a.test/v1' },
    cure: /no user, password/,
  },
  { name: 'no key', options: { baseUrl: good.baseUrl }, cure: /apiKey is missing; set it/ },
  {
    name: 'an empty key',
    options: { ...good, apiKey: '' },
    cure: /set it or MODEL_GATEWAY_KEY/,
  },
  {
    name: 'a key with a line break',
    options: { ...good, apiKey: `${apiKey}\n` },
    cure: /trim\(\)/,
  },
  { name: 'a key that is no text', options: { ...good, apiKey: 7 }, cure: /apiKey is missing/ },
  { name: 'a key beyond ASCII', options: { ...good, apiKey: 'mgk_é' }, cure: /printable ASCII/ },
  {
    name: 'timeoutMs 0',
    options: { ...good, timeoutMs: 0 },
    cure: /timeoutMs must be .*; it is 0/,
  },
  {
    name: 'timeoutMs NaN',
    options: { ...good, timeoutMs: Number.NaN },
    cure: /timeoutMs must be .*; it is NaN/,
  },
  { name: 'timeoutMs -1', options: { ...good, timeoutMs: -1 }, cure: /above 0/ },
  {
    name: 'timeoutMs Infinity',
    options: { ...good, timeoutMs: Infinity },
    cure: /at most 2147483647/,
  },
  {
    name: 'timeoutMs beyond timers',
    options: { ...good, timeoutMs: 2 ** 31 },
    cure: /at most 2147483647/,
  },
  {
    name: 'timeoutMs as text',
    options: { ...good, timeoutMs: '9' },
    cure: /timeoutMs must be .*; it is "9"/,
  },
  { name: 'timeoutMs null', options: { ...good, timeoutMs: null }, cure: /Omit it/ },
  { name: 'maxAttempts 0', options: { ...good, maxAttempts: 0 }, cure: /1 disables retries/ },
  { name: 'maxAttempts 1.5', options: { ...good, maxAttempts: 1.5 }, cure: /whole number/ },
  {
    name: 'maxAttempts NaN',
    options: { ...good, maxAttempts: Number.NaN },
    cure: /whole number/,
  },
  { name: 'maxAttempts Infinity', options: { ...good, maxAttempts: Infinity }, cure: /whole/ },
  {
    name: 'a fetch that is none',
    options: { ...good, fetch: {} },
    cure: /fetch must be a function/,
  },
  {
    name: 'an unknown option',
    options: { ...good, timeout: 5 },
    cure: /unknown option timeout; known options:/,
  },
];

describe('createClient throws a TypeError that names the correction', () => {
  for (const { name, options, cure } of badClientOptions) {
    test(name, () => {
      const error = thrownBy(() => callUntyped(createClient, options));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/createClient: /);
      expect(String(error)).toMatch(cure);
      expect(String(error)).not.toContain(apiKey);
      expect(String(error)).not.toContain('pw123');
    });
  }

  test('a Node without fetch', () => {
    const { fetch } = globalThis;
    try {
      Reflect.deleteProperty(globalThis, 'fetch');
      expect(() => createClient(good)).toThrow(/Node\.js 18 or later/);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  const accepted = [
    good,
    { ...good, baseUrl: 'http://127.0.0.1:8787/v1' },
    { ...good, baseUrl: 'https://a.test/llm/v1' },
    { ...good, timeoutMs: 0.5 },
    { ...good, timeoutMs: 2 ** 31 - 1, maxAttempts: 1 },
    { ...good, timeoutMs: undefined, maxAttempts: undefined, fetch: undefined },
  ];
  for (const options of accepted) {
    test(`not for ${JSON.stringify(options)}`, () => {
      expect(() => createClient(options)).not.toThrow();
    });
  }
});

const badCallOptions: readonly BadOptions[] = [
  { name: 'no object', options: 5_000, cure: /object with signal, timeoutMs/ },
  { name: 'timeoutMs 0', options: { timeoutMs: 0 }, cure: /above 0/ },
  { name: 'maxAttempts 0', options: { maxAttempts: 0 }, cure: /1 disables retries/ },
  {
    name: 'a controller',
    options: { signal: new AbortController() },
    cure: /such as controller.signal/,
  },
  { name: 'an empty key', options: { idempotencyKey: '' }, cure: /1 to 255 printable/ },
  { name: 'a long key', options: { idempotencyKey: 'k'.repeat(256) }, cure: /1 to 255/ },
  { name: 'a key beyond ASCII', options: { idempotencyKey: 'é' }, cure: /printable ASCII/ },
  { name: 'a key with a space at its end', options: { idempotencyKey: 'k ' }, cure: /no space/ },
  { name: 'an onRetry that is none', options: { onRetry: true }, cure: /onRetry must be a func/ },
  {
    name: 'an unknown option',
    options: { retries: 5 },
    cure: /unknown option retries; known options:/,
  },
  { name: 'a Headers', options: { headers: new Headers() }, cure: /Object.fromEntries/ },
  { name: 'a header of ours', options: { headers: { 'X-Api-Key': 'k' } }, cure: /createClient/ },
  { name: 'a bad header name', options: { headers: { 'a b': 'c' } }, cure: /valid name/ },
  { name: 'a bad header value', options: { headers: { a: 'b\r\nc: d' } }, cure: /printable/ },
  {
    name: 'a header that is no text',
    options: { headers: { a: 1 } },
    cure: /a value of printable ASCII/,
  },
];

describe('a bad option of a call rejects with a TypeError before anything is sent', () => {
  for (const { name, options, cure } of badCallOptions) {
    test(name, async () => {
      const { client, script, runtime } = openScripted([answer(200, chatAnswer)]);
      const call = Promise.resolve(callUntyped(client.chat, chatRequest, options));
      const settled = await runtime.settle(call);
      const error = settled.kind === 'error' ? settled.error : undefined;
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toMatch(/chat: /);
      expect(String(error)).toMatch(cure);
      expect(script.seen).toHaveLength(0);
      expect(runtime.timers()).toBe(0);
    });
  }

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const requests = [undefined, null, 'Hello', [], { maxTokens: 10n }, cyclic];
  for (const request of requests) {
    test(`a request that is ${typeof request} ${Object.keys(request ?? {})}`, async () => {
      const { client, script } = openScripted([answer(200, chatAnswer)]);
      const call = Promise.resolve(callUntyped(client.chat, request));
      await expect(call).rejects.toBeInstanceOf(TypeError);
      expect(script.seen).toHaveLength(0);
    });
  }

  test('a GET has no idempotency key', async () => {
    const { client } = openScripted([]);
    const call = Promise.resolve(callUntyped(client.usage, { idempotencyKey: 'k' }));
    await expect(call).rejects.toThrow(/usage: unknown option idempotencyKey/);
  });

  for (const userId of ['', 'a/b', '.', '..', '\ud800', undefined, 7]) {
    test(`a user id that is ${JSON.stringify(userId)}`, async () => {
      const { client, script } = openScripted([answer(200, {})]);
      const call = Promise.resolve(callUntyped(client.credits, userId));
      await expect(call).rejects.toBeInstanceOf(TypeError);
      await expect(call).rejects.not.toBeInstanceOf(LlmError);
      if (userId === '..') await expect(call).rejects.toThrow('not "." or ".."');
      expect(script.seen).toHaveLength(0);
    });
  }
});
