import { readFileSync } from 'node:fs';
import process from 'node:process';
import { clientLimits, routes } from '@model-gateway/contract';
import { describe, expect, test, vi } from 'vitest';
import type { Client } from '../src/client/client.ts';
import { limits } from '../src/lib/limits.ts';
import { userAgent } from '../src/lib/user-agent.ts';
import { apiKey, chatAnswer, chatRequest, openScripted } from './scripted-client.ts';
import { answer, apiError, refuse } from './scripted-fetch.ts';

const objectRequest = { ...chatRequest, schema: { type: 'object' } };
const agentRequest = { ...chatRequest, tools: [{ name: 'clock', inputSchema: {} }] };
const posts = [
  { route: routes.chat, run: (client: Client) => client.chat(chatRequest), sent: chatRequest },
  {
    route: routes.objects,
    run: (client: Client) => client.object<{ city: string }>(objectRequest),
    sent: objectRequest,
  },
  { route: routes.agents, run: (client: Client) => client.agent(agentRequest), sent: agentRequest },
];
const gets = [
  { path: '/v1/usage', run: (client: Client) => client.usage() },
  { path: '/v1/models', run: (client: Client) => client.models() },
  { path: '/v1/credits/user-1', run: (client: Client) => client.credits('user-1') },
  {
    path: '/v1/credits/a%20b%3Fc%23d%25e%C3%A9%40.%2B',
    run: (client: Client) => client.credits('a b?c#d%eé@.+'),
  },
];

describe('the sent request', () => {
  for (const { route, run, sent } of posts) {
    test(`POST ${route.path}: JSON, the key, an idempotency key`, async () => {
      const { client, runtime, script } = openScripted([answer(200, { id: 'call-1' })]);
      const settled = await runtime.settle<unknown>(run(client));
      expect(settled).toEqual({ kind: 'answer', answer: { id: 'call-1' } });
      expect(script.seen).toMatchObject([
        { method: 'POST', url: `https://gateway.test${route.path}`, body: JSON.stringify(sent) },
      ]);
      expect(script.seen[0]?.headers).toEqual({
        'user-agent': userAgent(),
        accept: 'application/json',
        'content-type': 'application/json',
        'x-api-key': apiKey,
        'idempotency-key': 'uuid-1',
      });
    });
  }

  for (const { path, run } of gets) {
    test(`GET ${path}: the key, no body, no idempotency key`, async () => {
      const { client, runtime, script } = openScripted([answer(200, { app: 'search' })]);
      await runtime.settle<unknown>(run(client));
      expect(script.seen).toMatchObject([
        { method: 'GET', url: `https://gateway.test${path}`, body: undefined },
      ]);
      expect(script.seen[0]?.headers).toEqual({
        'user-agent': userAgent(),
        accept: 'application/json',
        'x-api-key': apiKey,
      });
    });
  }

  test('a GET is retried like a POST, and its error names no idempotency key', async () => {
    const { client, runtime, script } = openScripted([refuse()]);
    const settled = await runtime.settle(client.usage());
    expect(settled).toMatchObject({ error: { code: 'NETWORK', attempts: 3 } });
    expect(settled).not.toHaveProperty('error.idempotencyKey');
    expect(script.seen).toHaveLength(3);
  });
});

describe('the way it is sent', () => {
  test('methods can be detached from the client', async () => {
    const { client, runtime } = openScripted([answer(200, chatAnswer)]);
    const { chat } = client;
    expect((await runtime.settle(chat(chatRequest))).kind).toBe('answer');
  });

  test('more headers are sent, by lower-case name', async () => {
    const { chat, script } = openScripted([answer(200, chatAnswer)]);
    await chat({ headers: { Traceparent: '00-ab-cd-01' } });
    expect(script.seen[0]?.headers).toMatchObject({ traceparent: '00-ab-cd-01' });
  });

  test('the client sends its name and version, unless a call’s header replaces them', async () => {
    const { chat, script } = openScripted([answer(200, chatAnswer)]);
    await chat();
    await chat({ headers: { 'User-Agent': 'search/7' } });
    const [own, custom] = script.seen.map(({ headers }) => headers['user-agent']);
    const { version } = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(own).toBe(`model-gateway-sdk/${version} node/${process.versions.node}`);
    expect(custom).toBe('search/7');
  });

  test.each([
    { machine: { versions: { node: '22.6.0', bun: '1.4.5' } }, says: ' bun/1.4.5' },
    { machine: { versions: { node: '22.6.0', deno: '2.9.6' } }, says: ' deno/2.9.6' },
    { machine: { versions: { node: 'a b\r\nc: d' } }, says: '' },
    { machine: undefined, says: '' },
  ])('the user agent of $machine is "$says"', ({ machine, says }) => {
    vi.stubGlobal('process', machine);
    const agent = userAgent();
    vi.unstubAllGlobals();
    expect(agent).toMatch(/^model-gateway-sdk\/[\d.]+/);
    expect(agent.replace(/^\S+/, '')).toBe(says);
  });

  test('a replaced fetch is called without a this', async () => {
    let seenThis: unknown = 'not called';
    function fetch(this: unknown): Promise<Response> {
      seenThis = this;
      return Promise.resolve(Response.json(chatAnswer));
    }
    await openScripted([], { options: { fetch } }).chat();
    expect(seenThis).toBeUndefined();
  });
});

describe('attempts of one call', () => {
  const failing = [refuse(), apiError(500, 'INTERNAL'), answer(200, chatAnswer)];

  test('carry the same bytes and the same idempotency key', async () => {
    const { chat, script } = openScripted(failing);
    await chat();
    const sent = script.seen.map(({ body, headers }) => ({ body, headers }));
    expect(sent).toHaveLength(3);
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]).toEqual(sent[0]);
    expect(sent[0]?.headers).toMatchObject({ 'idempotency-key': 'uuid-1' });
  });

  test('do not contain later changes of the caller', async () => {
    const messages = [{ role: 'user' as const, content: 'first' }];
    const { client, runtime, script } = openScripted(failing);
    const onRetry = () => messages.push({ role: 'user', content: 'second' });
    await runtime.settle(client.chat({ ...chatRequest, messages }, { onRetry }));
    expect(new Set(script.seen.map(({ body }) => body)).size).toBe(1);
  });

  test('do not contain a replaced fetch’s changes of the headers', async () => {
    const keys: unknown[] = [];
    const fetch = async (_url: string | URL | Request, init?: RequestInit) => {
      const headers = Object(init?.headers);
      keys.push(headers['idempotency-key']);
      headers['idempotency-key'] = 'spoilt';
      throw new Error('refused');
    };
    await openScripted([], { options: { fetch } }).chat();
    expect(keys).toEqual(['uuid-1', 'uuid-1', 'uuid-1']);
  });

  test('each call has a fresh key', async () => {
    const { chat, script } = openScripted([answer(200, chatAnswer)]);
    await chat();
    await chat();
    const keys = script.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['uuid-1', 'uuid-2']);
  });

  test('a given key is used, and in the error', async () => {
    const { failingChat, script } = openScripted([refuse()]);
    const error = await failingChat({ idempotencyKey: 'order 7' });
    const keys = script.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['order 7', 'order 7', 'order 7']);
    expect(error.idempotencyKey).toBe('order 7');
  });

  test('a generated key is in the error, also for TIMEOUT and ABORTED', async () => {
    const { failingChat } = openScripted([apiError(400, 'INVALID')]);
    expect((await failingChat()).idempotencyKey).toBe('uuid-1');
    const error = await failingChat({ signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'ABORTED', idempotencyKey: 'uuid-2' });
  });
});

test('the client’s limits are those of the contract', () => {
  expect(limits).toEqual(clientLimits);
});
