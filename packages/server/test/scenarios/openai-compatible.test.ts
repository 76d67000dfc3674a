import { LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CallRecord } from '../../src/books/rows.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { expectClean, heldBy, readAttempts, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { noonClock } from '../support/noon-clock.ts';
import {
  type OpenAiServer,
  openAiError,
  openAiKey,
  type Reply,
  startOpenAiServer,
} from '../support/openai-server.ts';
import { startServer, type TestServer } from '../support/server.ts';

let platform: OpenAiServer;
let server: TestServer;
let elapsedMs = 0;
beforeAll(async () => {
  platform = await startOpenAiServer();
  server = await startServer({
    clock: { ...noonClock, monotonic: () => noonClock.monotonic() + elapsedMs },
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  local: { kind: openai-compatible, baseUrl: "${platform.baseUrl}", apiKey: ${openAiKey} }
  sandbox: { kind: simulator }
defaultPlatform: local
retry: { attempts: 3, baseMs: 1, capMs: 2 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
  - id: mini
    platform: local
    upstreamModel: mini-latest
    inputUsdPerMillion: "0.15"
    cachedInputUsdPerMillion: "0.075"
    outputUsdPerMillion: "0.60"
    maxOutputTokens: 1000
    images: true
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
});
afterAll(async () => {
  await server.close();
  await platform.close();
});
beforeEach(() => {
  platform.next();
  // Each test starts with closed circuits.
  elapsedMs += 11_000;
});

/** 12 fresh tokens, 8 cached, 10 written. */
const exactPicoUsd = 12n * 150_000n + 8n * 75_000n + 10n * 600_000n;

async function lastCall(): Promise<CallRecord | undefined> {
  const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
  expect(await heldBy(server.store, 'search')).toBe(0);
  await expectClean(server);
  return calls.at(-1);
}

async function outcomesOf(record: CallRecord | undefined): Promise<readonly string[]> {
  return (await readAttempts(server.store, record)).map(({ outcome }) => outcome);
}

async function failedChat(): Promise<LlmError> {
  const client = await server.client('search');
  const error = await client.chat(chatOf('mini')).catch((thrown: unknown) => thrown);
  if (!LlmError.is(error)) throw new Error('the call was answered');
  expect(error.message).not.toMatch(/upstream-words|sk-test|org-123/);
  return error;
}

test('a chat is sent as OpenAI documents it, and billed by the server’s counts', async () => {
  const client = await server.client('search');
  const request = {
    ...chatOf('mini', { maxTokens: 5_000, temperature: 0.5, topP: 0.9, stop: ['END'] }),
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'What is it?' }, image] },
      { role: 'assistant', content: 'A dot.' },
      { role: 'user', content: 'Thanks.' },
    ],
  } as const;
  const answer = await client.chat(request);
  expect(answer).toEqual({
    id: expect.stringMatching(/^call_/),
    model: 'mini',
    requestId: expect.stringMatching(/^req_openai_\d+$/),
    text: 'Hi there.',
    finishReason: 'stop',
    usage: {
      ...{ inputTokens: 20, cachedInputTokens: 8, cacheWriteInputTokens: 0 },
      ...{ outputTokens: 10, reasoningTokens: 6 },
    },
    cost: { usd: '0.0000084', estimated: false },
  });
  const sent = platform.requests.at(-1);
  expect(sent?.headers.authorization).toBe(`Bearer ${openAiKey}`);
  expect(sent?.headers['x-api-key']).toBeUndefined();
  expect(sent?.body).toEqual({
    model: 'mini-latest',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${image.data}` } },
        ],
      },
      { role: 'assistant', content: 'A dot.' },
      { role: 'user', content: 'Thanks.' },
    ],
    ...{ max_tokens: 1_000, temperature: 0.5, top_p: 0.9, stop: ['END'] },
  });
  expect(await lastCall()).toMatchObject({ code: 'OK', basis: 'exact', cost: exactPicoUsd });
  const usage = await client.usage();
  expect(usage.models).toMatchObject([{ model: 'mini', calls: 1, costUsd: '0.0000084' }]);
});

const image = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;

describe('errors, as OpenAI writes them', () => {
  const words = 'upstream-words in organization org-123';
  const request = { message: words, type: 'invalid_request_error', code: null };
  const requests = { message: words, type: 'requests', code: 'rate_limit_exceeded' };
  const quota = { message: words, type: 'insufficient_quota', code: 'insufficient_quota' };
  const failed = { message: words, type: 'server_error', code: null };
  const rows = [
    { reply: openAiError(400, request), status: 400, code: 'BAD_REQUEST', attempts: 1 },
    { reply: openAiError(401, request), status: 403, code: 'AUTH', attempts: 1 },
    { reply: openAiError(403, request), status: 403, code: 'AUTH', attempts: 1 },
    { reply: openAiError(404, request), status: 404, code: 'NOT_FOUND', attempts: 1 },
    { reply: openAiError(422, request), status: 400, code: 'BAD_REQUEST', attempts: 1 },
    { reply: openAiError(429, requests), status: 429, code: 'THROTTLED', attempts: 3 },
    { reply: openAiError(429, quota), status: 429, code: 'THROTTLED', attempts: 1 },
    { reply: openAiError(500, failed), status: 502, code: 'SERVER', attempts: 3 },
    { reply: openAiError(503, failed), status: 502, code: 'SERVER', attempts: 3 },
  ] as const;
  test.each(rows)('$reply.status $reply.body', async ({ reply, status, code, attempts }) => {
    platform.next(reply, reply, reply);
    const before = platform.requests.length;
    expect(await failedChat()).toMatchObject({ status, code, model: 'mini' });
    expect(platform.requests.length - before).toBe(attempts);
    const record = await lastCall();
    expect(record).toMatchObject({ code, basis: 'free', cost: 0n });
    expect(await outcomesOf(record)).toEqual(Array(attempts).fill(code));
  });

  test('the server’s retry-after is sent to the caller', async () => {
    const headers = { 'retry-after': '1000', 'x-request-id': 'req_7' };
    platform.next(openAiError(429, requests, headers));
    expect(await failedChat()).toMatchObject({ requestId: 'req_7', retryAfterMs: 1_000_000 });
  });
});

describe('the id of a request', () => {
  const long = 'a'.repeat(128);
  test.each([
    ['a header', { 'x-request-id': 'req_7' }, 'req_8', 'req_7'],
    ['another header', { 'x-amzn-requestid': long }, 'req_8', long],
    ['the body', {}, 'req_8', 'req_8'],
    ['the body, as the header has a space', { 'x-request-id': 'a b' }, 'req_8', 'req_8'],
    ['the body, as the header is too long', { 'x-request-id': `${long}a` }, 'req_8', 'req_8'],
    ['nowhere, as the body has a NUL', {}, 'a\u0000b', undefined],
    ['nowhere, as the body has no text', {}, 8, undefined],
    ['nowhere', { 'x-request-id': '' }, '', undefined],
  ])('is read from %s', async (_, headers, request_id, expected) => {
    const body = JSON.stringify({ request_id, error: { message: 'no' } });
    platform.next({ status: 400, body, headers });
    expect((await failedChat()).requestId).toBe(expected);
    const record = await lastCall();
    expect(record?.upstreamId).toBe(expected);
    const [attempt] = await readAttempts(server.store, record);
    expect(attempt?.requestId).toBe(expected ?? null);
  });
});

describe('a failing server is retried', () => {
  test.each<{ what: string; reply: Reply; basis: string; estimates: bigint }>([
    { what: '503', reply: { status: 503, body: '' }, basis: 'exact', estimates: 0n },
    { what: '502 in HTML', reply: { status: 502, body: '<p>' }, basis: 'mixed', estimates: 1n },
    { what: 'no answer', reply: { dies: 'at once' }, basis: 'mixed', estimates: 1n },
    { what: 'half an answer', reply: { dies: 'within' }, basis: 'mixed', estimates: 1n },
  ])('after $what', async ({ reply, basis, estimates }) => {
    platform.next(reply);
    const client = await server.client('search');
    expect(await client.chat(chatOf('mini'))).toMatchObject({ cost: { usd: '0.0000084' } });
    const record = await lastCall();
    expect(record).toMatchObject({ code: 'OK', basis });
    const body = Buffer.byteLength(JSON.stringify(chatOf('mini')));
    const most = BigInt(body + 1_024) * 150_000n + 100n * 600_000n;
    expect(record?.cost).toBe(exactPicoUsd + estimates * most);
  });
});

describe('a response with a wrong shape is unusable, and may have been billed', () => {
  test.each([
    '',
    '   ',
    'null',
    '[]',
    '"Hi there."',
    '{}',
    '{"choices":null}',
    '{"choices":[]}',
    '{"choices":[{}]}',
    '{"choices":[{"message":{"content":7}}]}',
    '{"choices":[{"message":{"content":"Hi"}}]} trailing',
    '{"choices":[{"message":{"content":"Hi"',
    '<!doctype html><title>Welcome</title>',
    'data: {"choices":[]}\n\ndata: [DONE]\n\n',
  ])('%s', async (body) => {
    platform.next({ status: 200, body });
    const before = platform.requests.length;
    expect(await failedChat()).toMatchObject({ status: 502, code: 'SERVER' });
    expect(platform.requests.length - before).toBe(1);
    const record = await lastCall();
    expect(record).toMatchObject({ code: 'SERVER', basis: 'estimated' });
    expect(record?.cost).toBe(record?.held);
  });
});

describe('a response with extra or missing fields is accepted', () => {
  const message = { content: 'Hi' };
  test.each([
    { body: { choices: [{ message }] }, isEstimated: true },
    { body: { choices: [{ message: 'Hi' }] }, isEstimated: true },
    { body: { choices: [{ message }], usage: null }, isEstimated: true },
    { body: { choices: [{ message }], usage: { prompt_tokens: 3 } }, isEstimated: true },
    {
      body: { choices: [{ message }], usage: { prompt_tokens: 3, completion_tokens: 1 } },
      isEstimated: false,
    },
    {
      body: { error: null, more: [1], choices: [{ message, finish_reason: 'new_one' }] },
      isEstimated: true,
    },
  ])('$body', async ({ body, isEstimated }) => {
    platform.next({ status: 200, body: JSON.stringify(body) });
    const client = await server.client('search');
    const answer = await client.chat(chatOf('mini'));
    expect(answer).toMatchObject({ text: 'Hi', finishReason: 'other', requestId: null });
    expect(answer.cost.estimated).toBe(isEstimated);
    expect(await lastCall()).toMatchObject({ basis: isEstimated ? 'estimated' : 'exact' });
  });

  test('a text that was cut off is TRUNCATED, and a filtered one is reported', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 1 };
    const saying = (reason: string): Reply => ({
      status: 200,
      body: JSON.stringify({ choices: [{ message, finish_reason: reason }], usage }),
    });
    platform.next(saying('length'));
    expect(await failedChat()).toMatchObject({ status: 422, code: 'TRUNCATED' });
    expect(await lastCall()).toMatchObject({ code: 'TRUNCATED', basis: 'exact', cost: 1_050_000n });
    platform.next(saying('content_filter'));
    const client = await server.client('search');
    expect(await client.chat(chatOf('mini'))).toMatchObject({ finishReason: 'content-filter' });
  });
});

test('a redirect is not followed, and the credential stays here', async () => {
  const elsewhere = await startOpenAiServer();
  const headers = { location: `${elsewhere.baseUrl}/chat/completions` };
  platform.next({ status: 307, body: '', headers });
  expect(await failedChat()).toMatchObject({ status: 502, code: 'SERVER' });
  expect(elsewhere.requests).toEqual([]);
  expect(await lastCall()).toMatchObject({ basis: 'free', cost: 0n });
  await elsewhere.close();
});
