import { describe, expect, test, vi } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createOpenAiSettings } from '../../src/openai.ts';
import { answer, hang, partial, refuse, text } from '../scripted-fetch.ts';
import {
  apiKey,
  chatUrl,
  completed,
  completion,
  keysOf,
  openSettings,
  refused,
} from './openai-script.ts';

const answered = answer(200, completed, { 'x-cost-usd': '0.000006' });

describe('the sent request', () => {
  test('is unchanged, with the app key, and a key for the call', async () => {
    const { complete, script } = openSettings([answered], { headers: { 'x-team': 'search' } });
    const response = await complete({ 'user-agent': 'OpenAI/JS 7', 'x-user-id': 'ada' });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-cost-usd')).toBe('0.000006');
    expect(await response.json()).toEqual(completed);
    const [seen] = script.seen;
    expect(seen).toMatchObject({ url: chatUrl, method: 'POST', body: completion });
    expect(seen?.redirect).toBe('manual');
    expect(seen?.headers).toEqual({
      accept: '*/*',
      'content-type': 'application/json',
      'idempotency-key': 'uuid-1',
      'user-agent': expect.stringMatching(/^OpenAI\/JS 7 model-gateway-sdk\//),
      'x-api-key': apiKey,
      'x-team': 'search',
      'x-user-id': 'ada',
    });
  });

  test("has no idempotency key if it costs nothing, otherwise the caller's", async () => {
    const { complete, settings, script } = openSettings([answered]);
    await settings.fetch(`${settings.baseURL}/models?limit=2`);
    await complete({ 'idempotency-key': 'mine' });
    expect(keysOf(script)).toEqual([undefined, 'mine']);
    expect(script.seen[0]).toMatchObject({ method: 'GET', body: undefined });
    expect(script.seen[0]?.url).toBe('https://gateway.test/openai/v1/models?limit=2');
  });

  test('can be a Request, or bytes', async () => {
    const bytes: unknown[] = [];
    const fetch = async (_url: unknown, init: RequestInit = {}) => {
      bytes.push(await new Response(init.body ?? null).text());
      return Response.json(completed);
    };
    const { settings } = openSettings([], { fetch });
    const body = new TextEncoder().encode(completion);
    await settings.fetch(new Request(chatUrl, { method: 'POST', body }));
    await settings.fetch(new URL(chatUrl), { method: 'POST', body });
    expect(bytes).toEqual([completion, completion]);
  });

  test.each([
    'https://gateway.test/v1/chat',
    'https://gateway.test/openai/v1',
    'https://gateway.test/openai/v1/../../v1/chat',
    'https://gateway.test/openai/v1/%2e%2e/%2E%2E/v1/chat',
    'https://gateway.test/openai/v12/chat/completions',
    'https://gateway.test:444/openai/v1/chat/completions',
    'http://gateway.test/openai/v1/chat/completions',
    'https://gateway.test.evil.example/openai/v1/chat/completions',
  ])('never goes to %s', async (url) => {
    const { settings, script } = openSettings([answered]);
    const pending = settings.fetch(url, { method: 'POST', body: completion });
    await expect(pending).rejects.toThrow(/outside https:\/\/gateway\.test\/openai\/v1 and/);
    expect(script.seen).toEqual([]);
  });

  test('has the base URL, and the settings do not show the key', () => {
    const of = (baseUrl: string) => createOpenAiSettings({ baseUrl, apiKey });
    expect(of('https://a.test/v1').baseURL).toBe('https://a.test/openai/v1');
    expect(of('https://a.test/gw/v1').baseURL).toBe('https://a.test/gw/openai/v1');
    expect(of('https://a.test/openai/v1').baseURL).toBe('https://a.test/openai/v1');
    expect(JSON.stringify(of('https://a.test/v1'))).not.toContain(apiKey);
    expect(() => of('https://a.test')).toThrow('must end with the version');
  });

  test('uses the fetch that exists at the time', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json(completed));
    const settings = createOpenAiSettings({ baseUrl: 'https://a.test/v1', apiKey });
    vi.stubGlobal('fetch', fetch);
    await settings.fetch('https://a.test/openai/v1/models');
    vi.unstubAllGlobals();
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

const eventStream = { 'content-type': 'text/event-stream' };
const retried = [
  { name: 'a rate of the gateway', step: refused(429, 'TOO_MANY_REQUESTS') },
  { name: 'SERVER', step: refused(503, 'SERVER') },
  { name: 'WALLET_BUSY', step: refused(503, 'WALLET_BUSY') },
  { name: 'GATEWAY_TIMEOUT', step: refused(504, 'GATEWAY_TIMEOUT') },
  { name: 'a proxy', step: text(502, '<h1>Away</h1>') },
  { name: 'no connection', step: refuse() },
  { name: 'half an answer', step: partial(200, '{"id":', { breaks: true }) },
  { name: 'no stream', step: partial(200, '', { breaks: true, headers: eventStream }) },
];

describe('a retry', () => {
  test.each(retried)('has the same key, invisible to the caller: $name', async ({ step }) => {
    const { complete, script, runtime } = openSettings([step, answered]);
    expect(await (await complete()).json()).toEqual(completed);
    expect(keysOf(script)).toEqual(['uuid-1', 'uuid-1']);
    expect(runtime.timers()).toBe(0);
  });

  test('waits as long as the gateway says', async () => {
    const step = refused(429, 'TOO_MANY_REQUESTS', { 'retry-after': '2' });
    const { complete, script } = openSettings([step, answered]);
    await complete();
    expect(script.seen[1]?.atMs).toBeGreaterThanOrEqual(2_000);
  });

  test('returns the last response unchanged, and forbids more retries', async () => {
    const events: unknown[] = [];
    const onAttempt = (event: unknown) => void events.push(event);
    const step = refused(503, 'SERVER', { 'x-cost-usd': '0.000006' });
    const { complete, script } = openSettings([step], { onAttempt });
    const response = await complete();
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(response.headers.get('x-cost-usd')).toBe('0.000006');
    const error = { message: 'it is SERVER', type: 'server_error', param: null, code: 'SERVER' };
    expect(await response.json()).toEqual({ error });
    expect(script.seen).toHaveLength(3);
    expect(events).toMatchObject([1, 2, 3].map((attempt) => ({ attempt, code: 'SERVER' })));
  });
});

describe('no retry', () => {
  test.each([
    [402, 'BUDGET_EXCEEDED'],
    [402, 'INSUFFICIENT_CREDITS'],
    [400, 'INVALID'],
    [401, 'FORBIDDEN'],
    [307, 'nothing'],
  ])('%i %s is the response at once', async (status, code) => {
    const { complete, script } = openSettings([refused(status, code)]);
    const response = await complete();
    expect(response.status).toBe(status);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(script.seen).toHaveLength(1);
  });

  test('a daily quota, which the gateway marks as not retryable', async () => {
    const step = refused(429, 'LIMIT_EXCEEDED', { 'x-should-retry': 'false' });
    const { complete, script } = openSettings([step]);
    expect((await complete()).headers.get('x-error-code')).toBe('LIMIT_EXCEEDED');
    expect(script.seen).toHaveLength(1);
  });

  test('THROTTLED is left to the caller, with its wait', async () => {
    const { complete, script } = openSettings([refused(429, 'THROTTLED', { 'retry-after': '2' })]);
    const response = await complete();
    expect(response.headers.get('x-should-retry')).toBeNull();
    expect(response.headers.get('retry-after')).toBe('2');
    expect(script.seen).toHaveLength(1);
  });
});

describe('a call without a response', () => {
  test.each([
    { name: 'NETWORK', step: refuse(), status: 502, code: 'NETWORK' },
    { name: 'TIMEOUT', step: hang(), status: 504, code: 'timeout' },
  ])('is an error in OpenAI’s format: $name', async ({ name, step, status, code }) => {
    const { complete, runtime } = openSettings([step]);
    const response = await complete();
    expect(response.status).toBe(status);
    expect(response.headers.get('x-error-code')).toBe(name);
    expect(response.headers.get('x-should-retry')).toBe('false');
    const error = { message: expect.any(String), type: 'server_error', param: null, code };
    expect(await response.json()).toEqual({ error });
    expect(runtime.timers()).toBe(0);
  });

  test('rejects with the reason of the caller’s abort', async () => {
    const reason = new DOMException('gone', 'AbortError');
    const { settings, script, runtime } = openSettings([hang()]);
    const controller = new AbortController();
    const { signal } = controller;
    const pending = settings.fetch(chatUrl, { method: 'POST', body: completion, signal });
    pending.catch(() => controller.abort());
    await until(() => script.seen.length === 1);
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(script.seen[0]?.signal.aborted).toBe(true);
    expect(runtime.timers()).toBe(0);
  });
});
