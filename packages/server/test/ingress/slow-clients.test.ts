import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { type HttpOptions, httpOptions } from '../../src/ingress/http/options.ts';
import { chatOf } from '../support/exchange.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

// Each listener has one limit, and all others are out of reach, so this limit ends the connection.
const never = 3_600_000;
const limitMs = 200;
const noLimits = {
  ...{ ...httpOptions, headersTimeout: never, requestTimeout: never, keepAliveTimeout: never },
  ...{ keylessKeepAliveTimeout: never, connectionsCheckingInterval: 20 },
};

const servers: TestServer[] = [];
async function start(http: Partial<HttpOptions>): Promise<TestServer> {
  const limits = { ...noLimits, ...http };
  const server = await startServer({ http: limits });
  servers.push(server);
  const { headersTimeout, requestTimeout, keepAliveTimeout } = limits;
  expect(server.listener).toMatchObject({ headersTimeout, requestTimeout, keepAliveTimeout });
  return server;
}
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** A connection, the service's end of it, and the events that end it there. */
async function connect({ port, listener }: TestServer) {
  const opened = once(listener, 'connection');
  const connection = await openRaw(port);
  const [socket]: Socket[] = await opened;
  const order: string[] = [];
  for (const name of ['timeout', 'close']) socket?.once(name, () => order.push(name));
  return { connection, socket, order };
}

/** Writes a piece every 20 ms, until the returned function is called. */
function drip({ socket }: RawConnection, piece: string): () => void {
  const timer = setInterval(() => socket.write(piece), 20);
  return () => clearInterval(timer);
}

async function post(server: TestServer, body: string): Promise<string> {
  const headers = { 'x-api-key': await server.key('search'), 'content-type': 'application/json' };
  return requestText('POST /v1/chat', headers, body);
}

const head = 'GET /v1/usage HTTP/1.1\r\nhost: gateway.test\r\n';

describe('a client gets a response and is closed', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({ headersTimeout: limitMs });
  });

  test.each([
    ['that says nothing at all', '', ''],
    ['that says nothing more within its headers', head, ''],
    ['whose headers come byte by byte', `${head}x-slow: `, 'a'],
  ])('%s', async (_what, begin, piece) => {
    const connection = await openRaw(server.port);
    connection.write(begin);
    const stop = drip(connection, piece);
    const { status, text } = await connection.answer();
    expect([status, text]).toEqual([408, '{"message":"Request Timeout"}']);
    await connection.ended();
    stop();
  });
});

test('a client that sends byte by byte gets a response, and holds no permit', async () => {
  const server = await start({ requestTimeout: limitMs, headersTimeout: limitMs });
  const connection = await openRaw(server.port);
  connection.write((await post(server, 'x'.repeat(100_000))).slice(0, -100_000));
  const stop = drip(connection, 'x');
  const { status, text } = await connection.answer();
  expect([status, text]).toEqual([408, '{"message":"Request Timeout"}']);
  await connection.ended();
  stop();
  const { concurrency } = server.service;
  await until(() => concurrency.load().requests === 0);
  expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
});

test('an idle connection between requests is closed without a response', async () => {
  const server = await start({ keepAliveTimeout: limitMs });
  const idle = await connect(server);
  const { connection } = idle;
  connection.write(await post(server, JSON.stringify(chatOf('sim-echo'))));
  expect((await connection.answer()).status).toBe(200);
  await expectIdleLimit(server, idle);
  await expect(connection.answer()).rejects.toThrow('ended after ""');
});

describe('a connection without a known key is closed soon', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({ keylessKeepAliveTimeout: limitMs });
  });

  test.each([
    ['GET /health', {}, 200],
    ['GET /v1/usage', {}, 403],
    ['GET /v1/usage', { 'x-api-key': 'nobody-knows-this-key' }, 403],
  ])('%s %j', async (line, headers, status) => {
    const idle = await connect(server);
    const { connection } = idle;
    connection.write(requestText(line, headers));
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('keep-alive')]).toEqual([status, 'timeout=0']);
    connection.write(requestText(line, headers));
    expect((await connection.answer()).status).toBe(status);
    await expectIdleLimit(server, idle);
    await expect(connection.answer()).rejects.toThrow('ended after ""');
  });

  test('and a connection with one is kept, for any later bytes', async () => {
    const connection = await openRaw(server.port);
    connection.write(requestText('GET /health', {}));
    await connection.answer();
    connection.write(requestText('GET /v1/usage', { 'x-api-key': await server.key('search') }));
    expect((await connection.answer()).headers.get('keep-alive')).toBe('timeout=3600');
    connection.write(requestText('GET /health', {}));
    expect((await connection.answer()).headers.get('keep-alive')).toBe('timeout=3600');
    connection.close();
  });

  test('but not while a call runs on it', async () => {
    const connection = await openRaw(server.port);
    const slow = await post(server, JSON.stringify(chatOf('sim-slow')));
    connection.write(requestText('GET /health', {}) + slow);
    expect((await connection.answer()).status).toBe(200);
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });
});

/** The service sets its limit for an idle connection, and closes it when the limit is over. */
async function expectIdleLimit(
  { listener }: TestServer,
  { socket, order }: Awaited<ReturnType<typeof connect>>,
) {
  await until(() => socket?.timeout === limitMs + listener.keepAliveTimeoutBuffer);
  await until(() => order.includes('close'));
  expect(order).toEqual(['timeout', 'close']);
}
