import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOptions } from '../../src/ingress/http/options.ts';
import { chatOf } from '../support/exchange.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

// The limits of the service, each ten times as short.
const http = {
  ...httpOptions,
  headersTimeout: httpOptions.headersTimeout / 10,
  requestTimeout: httpOptions.requestTimeout / 10,
  connectionsCheckingInterval: httpOptions.connectionsCheckingInterval / 10,
  keepAliveTimeout: httpOptions.keepAliveTimeout / 50,
  keylessKeepAliveTimeout: httpOptions.keylessKeepAliveTimeout / 50,
};
/** More than a busy machine needs, and less than it takes where nobody looks every second. */
const longMs = 20_000;

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer({ http });
  key = await server.key('search');
});
afterAll(() => server.close());

/** Writes a piece ten times a second until the other side has had enough. */
function drip({ socket }: RawConnection, piece: string): () => void {
  const timer = setInterval(() => socket.write(piece), 100);
  return () => clearInterval(timer);
}

/** How long a connection has lasted at its end. */
async function lasts(connection: RawConnection, since: number): Promise<number> {
  const late = setTimeout(() => connection.socket.destroy(new Error('never cut')), longMs);
  await connection.ended();
  clearTimeout(late);
  return performance.now() - since;
}

function post(body: string): string {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return requestText('POST /v1/chat', headers, body);
}

const head = 'GET /v1/usage HTTP/1.1\r\nhost: gateway.test\r\n';

// Each waits for a limit: together they wait once.
describe.concurrent('a client is told so and cut', () => {
  test.each([
    ['that says nothing at all', '', '', http.headersTimeout],
    ['that says nothing more within its headers', head, '', http.headersTimeout],
    ['whose headers come byte by byte', `${head}x-slow: `, 'a', http.headersTimeout],
  ])('%s', async (_what, start, piece, limitMs) => {
    const since = performance.now();
    const connection = await openRaw(server.port);
    connection.write(start);
    const stop = drip(connection, piece);
    const lastedMs = await lasts(connection, since);
    stop();
    const { status, text } = await connection.answer();
    expect([status, text]).toEqual([408, '{"message":"Request Timeout"}']);
    expectWithin(lastedMs, limitMs);
  });

  test('whose body comes byte by byte, and it holds no place any more', async () => {
    const since = performance.now();
    const connection = await openRaw(server.port);
    connection.write(post('x'.repeat(1_000)).slice(0, -1_000));
    const stop = drip(connection, 'x');
    const lastedMs = await lasts(connection, since);
    stop();
    const { status, text } = await connection.answer();
    expect([status, text]).toEqual([408, '{"message":"Request Timeout"}']);
    expectWithin(lastedMs, http.requestTimeout);
    const { concurrency } = server.service;
    await until(() => concurrency.load().requests === 0);
    expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
  });
});

test('a connection that is idle between requests is closed without a word', async () => {
  const connection = await openRaw(server.port);
  const since = performance.now();
  connection.write(post(JSON.stringify(chatOf('sim-echo'))));
  expect((await connection.answer()).status).toBe(200);
  const lastedMs = await lasts(connection, since);
  expectWithin(lastedMs, http.keepAliveTimeout);
  await expect(connection.answer()).rejects.toThrow('ended after ""');
});

describe.concurrent('a connection without a known key is closed soon', () => {
  test.each([
    ['GET /health', {}, 200],
    ['GET /v1/usage', {}, 403],
    ['GET /v1/usage', { 'x-api-key': 'nobody-knows-this-key' }, 403],
  ])('%s %j', async (line, headers, status) => {
    const connection = await openRaw(server.port);
    connection.write(requestText(line, headers));
    const answer = await connection.answer();
    expect([answer.status, answer.headers.get('keep-alive')]).toEqual([status, 'timeout=0']);
    const since = performance.now();
    connection.write(requestText(line, headers));
    expect((await connection.answer()).status).toBe(status);
    const lastedMs = await lasts(connection, since);
    expectWithin(lastedMs, http.keylessKeepAliveTimeout);
    await expect(connection.answer()).rejects.toThrow('ended after ""');
  });

  test('and with one it is kept, whatever comes then', async () => {
    const connection = await openRaw(server.port);
    connection.write(requestText('GET /health', {}));
    await connection.answer();
    connection.write(requestText('GET /v1/usage', { 'x-api-key': key }));
    expect((await connection.answer()).headers.get('keep-alive')).toBe('timeout=1');
    connection.write(requestText('GET /health', {}));
    expect((await connection.answer()).headers.get('keep-alive')).toBe('timeout=1');
    connection.close();
  });

  test('but not while a call runs on it', async () => {
    const connection = await openRaw(server.port);
    const slow = post(JSON.stringify(chatOf('sim-slow')));
    connection.write(requestText('GET /health', {}) + slow);
    expect((await connection.answer()).status).toBe(200);
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });
});

/** Not before its time, but for what clocks differ by. */
function expectWithin(lastedMs: number, limitMs: number) {
  expect(lastedMs).toBeGreaterThan(limitMs - 50);
  expect(lastedMs).toBeLessThan(longMs);
}

async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
