import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import process from 'node:process';
import { afterEach, describe, expect, test } from 'vitest';
import { type AttemptEvent, addUsd, createClient, LlmError } from '../src/index.ts';
import { serveFakeGateway } from './fake-gateway.ts';
import { apiKey, chatAnswer, chatRequest, openScripted } from './scripted-client.ts';
import { answer, apiError, hang, refuse } from './scripted-fetch.ts';

const baseUrl = 'https://gateway.test/v1';
const names = ['MODEL_GATEWAY_URL', 'MODEL_GATEWAY_KEY'] as const;

afterEach(() => {
  for (const name of names) delete process.env[name];
});

describe('the environment', () => {
  test('supplies only the missing options', async () => {
    process.env.MODEL_GATEWAY_URL = baseUrl;
    process.env.MODEL_GATEWAY_KEY = 'mgk_of_the_environment';
    const seen: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (url, init) => {
      seen.push(String(url), new Headers(init?.headers).get('x-api-key'));
      return Response.json(chatAnswer);
    };
    await createClient({ fetch }).chat(chatRequest);
    await createClient({ fetch, apiKey, baseUrl: 'https://other.test/v1' }).chat(chatRequest);
    expect(seen).toEqual([
      ...[`${baseUrl}/chat`, 'mgk_of_the_environment'],
      ...['https://other.test/v1/chat', apiKey],
    ]);
  });

  test('that has neither is named in the error', () => {
    expect(() => createClient({})).toThrow(/baseUrl is missing.*MODEL_GATEWAY_URL/);
    expect(() => createClient({ baseUrl })).toThrow(/apiKey is missing.*MODEL_GATEWAY_KEY/);
    process.env.MODEL_GATEWAY_URL = '';
    expect(() => createClient({ apiKey })).toThrow(/baseUrl is missing/);
  });
});

describe('headers of the client', () => {
  test('are sent with every call, in addition to its own', async () => {
    const options = { headers: { 'X-Team': 'search', 'user-agent': 'mine/1' } };
    const { client, runtime, script } = openScripted([answer(200, chatAnswer)], { options });
    await runtime.settle(client.chat(chatRequest));
    await runtime.settle(client.chat(chatRequest, { headers: { 'x-team': 'other' } }));
    await runtime.settle(client.models());
    expect(script.seen.map(({ headers }) => [headers['x-team'], headers['user-agent']])).toEqual([
      ...[
        ['search', 'mine/1'],
        ['other', 'mine/1'],
        ['search', 'mine/1'],
      ],
    ]);
  });

  test('that the client sets itself are rejected at once', () => {
    const headers = { 'idempotency-key': 'K' };
    expect(() => createClient({ baseUrl, apiKey, headers })).toThrow(
      /must not contain idempotency-key/,
    );
  });
});

describe('withOptions', () => {
  test('makes another client of the same runtime, and leaves the first unchanged', async () => {
    const steps = [apiError(503, 'WALLET_BUSY'), answer(200, chatAnswer)];
    const { client, runtime, script } = openScripted(steps);
    const once = client.withOptions({ maxAttempts: 1, headers: { 'x-team': 'a' } });
    expect(await runtime.settle(once.chat(chatRequest))).toMatchObject({ kind: 'error' });
    expect(await runtime.settle(client.chat(chatRequest))).toMatchObject({ kind: 'answer' });
    expect(script.seen.map(({ headers }) => headers['x-team'])).toEqual(['a', undefined]);
    expect(() => client.withOptions({ maxAttempts: 0 })).toThrow(/maxAttempts must be .*; it is 0/);
  });
});

describe('each attempt', () => {
  test('is reported to onAttempt, which can neither delay nor break a call', async () => {
    const events: AttemptEvent[] = [];
    const onAttempt = async (event: AttemptEvent) => {
      events.push(event);
      throw new Error('the log is full');
    };
    const steps = [
      ...[apiError(503, 'WALLET_BUSY', { 'x-request-id': 'req_1' }), refuse()],
      answer(200, chatAnswer, { 'x-request-id': 'req_3' }),
    ];
    const { chat } = openScripted(steps, { options: { onAttempt } });
    expect(await chat()).toMatchObject({ kind: 'answer' });
    const shared = { method: 'chat', durationMs: 0 };
    expect(events).toEqual([
      { ...shared, attempt: 1, gatewayRequestId: 'req_1', code: 'WALLET_BUSY' },
      { ...shared, attempt: 2, gatewayRequestId: undefined, code: 'NETWORK' },
      { ...shared, attempt: 3, gatewayRequestId: 'req_3', code: undefined },
    ]);
  });

  test('is reported with its time if the call ends it', async () => {
    const events: AttemptEvent[] = [];
    const options = { timeoutMs: 700, onAttempt: (event: AttemptEvent) => events.push(event) };
    const { failingChat } = openScripted([hang()], { options });
    expect(await failingChat()).toMatchObject({ code: 'TIMEOUT' });
    expect(events).toMatchObject([
      { method: 'chat', attempt: 1, durationMs: 700, code: 'TIMEOUT' },
    ]);
  });

  test('is on a channel of node:diagnostics_channel', async () => {
    const events: unknown[] = [];
    const listen = (event: unknown) => void events.push(event);
    const gateway = await serveFakeGateway();
    subscribe('@model-gateway/sdk:attempt', listen);
    const client = createClient({ baseUrl: gateway.baseUrl, apiKey });
    await client.chat({ ...chatRequest, messages: [{ role: 'user', content: 'flaky' }] });
    unsubscribe('@model-gateway/sdk:attempt', listen);
    gateway.close();
    expect(events).toMatchObject([
      { method: 'chat', attempt: 1, code: 'WALLET_BUSY', gatewayRequestId: 'req_flaky' },
      { method: 'chat', attempt: 2, code: undefined },
    ]);
  });
});

describe('error.retryable', () => {
  test.each([
    [true, apiError(503, 'WALLET_BUSY')],
    [true, apiError(502, 'BAD_OUTPUT')],
    [true, apiError(429, 'THROTTLED')],
    [true, answer(429, { message: 'Too Many Requests' })],
    [true, refuse()],
    [false, apiError(429, 'BUDGET_EXCEEDED')],
    [false, apiError(402, 'INSUFFICIENT_CREDITS')],
    [false, apiError(502, 'BAD_OUTPUT', { 'x-should-retry': 'false' })],
    [false, apiError(400, 'INVALID')],
  ] as const)('is %s if the same call may succeed by itself', async (retryable, step) => {
    const { failingChat } = openScripted([step]);
    expect(await failingChat({ maxAttempts: 1 })).toMatchObject({ retryable });
  });

  test('is true for a time-out, and false for an abort and a hand-made error', async () => {
    const { failingChat } = openScripted([hang()]);
    expect((await failingChat({ timeoutMs: 5 })).retryable).toBe(true);
    expect((await failingChat({ signal: AbortSignal.abort() })).retryable).toBe(false);
    const made = new LlmError({ message: 'm', status: 503, code: 'INTERNAL', attempts: 1 });
    expect(made.retryable).toBe(false);
  });
});

describe('addUsd', () => {
  test('adds any number of amounts exactly', () => {
    expect(addUsd('0.1', '0.2', '0.000000000003')).toBe('0.300000000003');
    expect([addUsd(), addUsd('1.50')]).toEqual(['0', '1.5']);
  });

  test.each([0.1, null, '', '-1', '1e3'])('rejects %j, which is not decimal text', (value) => {
    expect(() => Reflect.apply(addUsd, undefined, ['1', value])).toThrow(TypeError);
  });
});
