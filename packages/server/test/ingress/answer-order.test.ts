import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { httpOptions } from '../../src/ingress/http/options.ts';
import { expectBooks, heldBy, paid } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createTestClock } from '../support/test-clock.ts';

// The limits of the service, each divided by 20.
const http = {
  ...httpOptions,
  headersTimeout: httpOptions.headersTimeout / 20,
  requestTimeout: httpOptions.requestTimeout / 20,
  connectionsCheckingInterval: httpOptions.connectionsCheckingInterval / 20,
};
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search }, { name: first }, { name: second }, { name: third }, { name: fourth }]
`;
const requestTimeout = [408, '{"message":"Request Timeout"}'] as const;
const badRequest = [400, '{"message":"Bad Request"}'] as const;

// The calls take 2 s of a clock that the test holds, so everything after them comes first.
const clock = createTestClock();
let server: TestServer;
let key: string;
let begun = 0;
beforeAll(async () => {
  const script = () => {
    begun += 1;
    return undefined;
  };
  server = await startServer({ http, yaml, clock, script });
  key = await server.key('search');
});
afterAll(() => server.close());

/** Ends the running calls, once the platform has begun this many. */
async function endCalls(count = 1) {
  await until(() => begun === count);
  begun = 0;
  await clock.advance(2_000);
}

/** A call that ends when the test lets it. */
function slowChat(apiKey = key): string {
  return post(JSON.stringify(chatOf('sim-slow')), { 'x-api-key': apiKey });
}

function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const own = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return requestText('POST /v1/chat', own, body);
}

function calls(): number {
  return server.simulator.bill().total.calls;
}

describe('a call gets its response before the next request is rejected', () => {
  test.each<readonly [string, () => string]>([
    ['garbage', () => 'GARBAGE'],
    ['garbage in lines', () => 'Hello, gateway!\r\n\r\n'],
    ['a header without a colon', () => 'GET /v1/usage HTTP/1.1\r\nhost: a\r\nnothing\r\n\r\n'],
    ['two hosts', () => 'GET /v1/usage HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n'],
    ['a body that is none', () => `${post('', { 'transfer-encoding': 'chunked' })}no size\r\n`],
  ])('%s', async (_, follows) => {
    const before = calls();
    const connection = await openRaw(server.port);
    connection.write(slowChat() + follows());
    await endCalls();
    expect((await connection.answer()).status).toBe(200);
    const answer = await connection.answer();
    expect([answer.status, answer.text]).toEqual(badRequest);
    await connection.ended();
    expect(calls()).toBe(before + 1);
  });

  test('a head that does not arrive in time', async () => {
    const connection = await openRaw(server.port);
    const refused = once(server.listener, 'clientError');
    connection.write(`${slowChat()}GET /v1/usage HTTP/1.1\r\nhost: a\r\n`);
    await refused;
    await endCalls();
    expect((await connection.answer()).status).toBe(200);
    const answer = await connection.answer();
    expect([answer.status, answer.text]).toEqual(requestTimeout);
    await connection.ended();
  });

  test('a tunnel, and the bytes after it', async () => {
    const connection = await openRaw(server.port);
    const tunnel = requestText('CONNECT gateway.test:443', { 'x-api-key': key });
    const refused = once(server.listener, 'connect');
    connection.write(slowChat() + tunnel);
    connection.write('hello '.repeat(1_000));
    await refused;
    await endCalls();
    expect((await connection.answer()).status).toBe(200);
    expect((await connection.answer()).status).toBe(404);
    await connection.ended();
  });

  test('endless garbage', async () => {
    const connection = await openRaw(server.port);
    const refused = once(server.listener, 'clientError');
    connection.write(slowChat());
    const timer = setInterval(() => connection.socket.write('GARBAGE\r\n'.repeat(100)), 20);
    await refused;
    await endCalls();
    expect((await connection.answer()).status).toBe(200);
    const answer = await connection.answer();
    clearInterval(timer);
    expect([answer.status, answer.text]).toEqual(badRequest);
    await connection.ended();
  });
});

describe('a client that ends its sending side has disconnected', () => {
  test.each([
    ['behind its call', 'first', ''],
    ['behind garbage', 'second', 'GARBAGE'],
    ['amid its next request', 'third', 'GET /v1/us'],
  ])('%s: it gets no response, and pays the cost of the call', async (_, app, follows) => {
    const connection = await openRaw(server.port);
    connection.write(slowChat(await server.key(app)) + follows);
    await until(async () => (await heldBy(server.store, app)) === 1);
    connection.socket.end();
    await connection.ended();
    await expect(connection.answer()).rejects.toThrow('ended after ""');
    await endCalls();
    await until(async () => (await heldBy(server.store, app)) === 0);
    await expectBooks(server, app, { calls: [paid('0.000006', 'ABORTED')], billedUsd: '0.000006' });
  });

  test('also when its call waits for another', async () => {
    const app = 'fourth';
    const connection = await openRaw(server.port);
    const own = await server.key(app);
    connection.write(slowChat(own) + slowChat(own));
    await until(async () => (await heldBy(server.store, app)) === 2);
    connection.socket.end();
    await connection.ended();
    await endCalls(2);
    await until(async () => (await heldBy(server.store, app)) === 0);
    const calls = [paid('0.000006', 'ABORTED'), paid('0.000006', 'ABORTED')];
    await expectBooks(server, app, { calls, billedUsd: '0.000012' });
  });
});

describe('a request has one final response', () => {
  const length = { 'content-length': '1000' };
  const chunked = { 'transfer-encoding': 'chunked' };
  test.each<readonly [string, number, () => string]>([
    ['no key, and its body does not come', 403, () => post('', { ...length, 'x-api-key': 'no' })],
    [
      'no key, and its body breaks off',
      403,
      () => `${post('', { ...chunked, 'x-api-key': 'no' })}x`,
    ],
    ['too long, and it does not come', 413, () => post('', { 'content-length': '5000000' })],
    ['an odd expectation', 417, () => post('', { ...length, expect: 'tea' })],
    ['two hosts, and its body does not come', 400, () => post('', { ...length, Host: 'a' })],
    ['a body that does not come', 408, () => post('', length)],
    ['a body that is none', 400, () => `${post('', chunked)}no size\r\n`],
  ])('%s', async (_, status, request) => {
    const before = await requestsCounted();
    const connection = await openRaw(server.port);
    connection.write(request());
    expect((await connection.answer()).status).toBe(status);
    await connection.ended();
    await expect(connection.answer()).rejects.toThrow('ended after ""');
    expect(await requestsCounted()).toBe(before + 1);
  });
});

async function requestsCounted(): Promise<number> {
  const page = await server.service.monitor.pages['/metrics']?.();
  const lines = page?.text.match(/^model_gateway_requests_total.* \d+$/gm) ?? [];
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
