import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectClean } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
});
afterAll(async () => {
  // Only the well-formed request made a call.
  expect(server.simulator.bill().total.calls).toBe(1);
  await expectClean(server);
  await server.close();
});

const body = JSON.stringify(chatOf('sim-echo'));
const json = 'content-type: application/json';
const length = `content-length: ${body.length}`;

/** A POST of these header lines, and the good body. */
function post(...lines: readonly string[]): string {
  const all = ['POST /v1/chat HTTP/1.1', 'host: gateway.test', json, ...lines];
  return `${all.join('\r\n')}\r\n\r\n${body}`;
}

/** The same, in one chunk. */
function inOneChunk(...lines: readonly string[]): string {
  const head = post(...lines).slice(0, -body.length);
  return `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

/** An invalid request, written when its key is available. */
type Malformed = readonly [what: string, request: () => string | Uint8Array];

const coding = (name: string) => `transfer-encoding: ${name}`;
const usageOf = (host: string) => requestText('GET /v1/usage', { host, 'x-api-key': key });
const apiKey = () => `x-api-key: ${key}`;

const malformed: readonly Malformed[] = [
  ['two content-length that agree', () => post(apiKey(), length, length)],
  ['two content-length that differ', () => post(apiKey(), length, 'content-length: 5')],
  ['both lengths', () => post(apiKey(), length, 'transfer-encoding: chunked')],
  ['both, the other way round', () => post(apiKey(), 'transfer-encoding: chunked', length)],
  ['a length that is none', () => post(apiKey(), 'content-length: many')],
  ['a length below nothing', () => post(apiKey(), 'content-length: -5')],
  ['another transfer encoding', () => post(apiKey(), 'transfer-encoding: gzip')],
  ['a chunk without a size', () => post(apiKey(), 'transfer-encoding: chunked')],
  ['two x-api-key that agree', () => post(apiKey(), apiKey(), length)],
  ['two x-api-key that differ', () => post(apiKey(), 'X-Api-Key: nobody', length)],
  ['a header without a colon', () => post(apiKey(), 'nothing', length)],
  ['a space before the colon', () => post(apiKey(), 'x-odd : 1', length)],
  ['a line that goes on in the next', () => post(apiKey(), 'x-odd: 1\r\n  2', length)],
  ['NUL in a header', () => post(apiKey(), 'x-odd: a\0b', length)],
  ['no host', () => `GET /v1/usage HTTP/1.1\r\n${apiKey()}\r\n\r\n`],
  ['no version', () => 'GET /v1/usage\r\n\r\n'],
  ['another version', () => 'GET /v1/usage HTTP/3.0\r\nhost: a\r\n\r\n'],
  ['two hosts that agree', () => post(apiKey(), length, 'Host: gateway.test')],
  ['two hosts that differ', () => post(apiKey(), length, 'host: other.test')],
  ['two hosts, of which one is empty', () => post(apiKey(), length, 'host:')],
  ['a host with a space', () => usageOf('gate way.test')],
  ['a host with a path', () => usageOf('gateway.test/v1')],
  ['a host with a user', () => usageOf('ada@gateway.test')],
  ['a host that is a list', () => usageOf('gateway.test, other.test')],
  ['a host with a port that is none', () => usageOf('gateway.test:http')],
  ['a host with half a bracket', () => usageOf('[::1')],
  ['an address without a host', () => requestText('GET http:///v1/usage', { 'x-api-key': key })],
  ['an address with a user', () => requestText('GET http://a@b/v1/usage', { 'x-api-key': key })],
  ['two codings', () => inOneChunk(apiKey(), coding('gzip, chunked'))],
  ['two lines of codings', () => inOneChunk(apiKey(), coding('gzip'), coding('chunked'))],
  ['chunked twice', () => inOneChunk(apiKey(), coding('chunked'), coding('chunked'))],
  ['no method', () => ' /v1/usage HTTP/1.1\r\nhost: a\r\n\r\n'],
  ['a method that is no token', () => requestText('G(T /v1/usage', { 'x-api-key': key })],
  ['a method without the end of its line', () => 'FETCH /v1/usage HTTP/1.1'],
  ['TLS', () => Buffer.from('160301020001000200', 'hex')],
  ['garbage', () => 'Hello, gateway!\r\n\r\n'],
  ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];

describe('400 Bad Request', () => {
  test.each(malformed)('%s', async (_, request) => {
    const answer = await exchangeRaw(server.port, request());
    expect([answer.status, answer.text]).toEqual([400, '{"message":"Bad Request"}']);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });
});

test.each(['x-odd: value', 'X-API-KEY-2: value', 'cookie: a=1'])(
  'another header twice is accepted: %s',
  async (line) => {
    const usage = ['GET /v1/usage HTTP/1.1', 'host: a', `x-api-key: ${key}`, line, line];
    expect((await exchangeRaw(server.port, `${usage.join('\r\n')}\r\n\r\n`)).status).toBe(200);
  },
);

test.each(['gateway.test:8787', '127.0.0.1', '[::1]:8787', 'gate_way-1.test.', '%41.test', ''])(
  '%j is a host',
  async (host) => {
    const request = requestText('GET /v1/usage', { host, 'x-api-key': key });
    expect((await exchangeRaw(server.port, request)).status).toBe(200);
  },
);

test('chunked encoding by itself is accepted', async () => {
  const request = inOneChunk(apiKey(), coding('Chunked'));
  expect((await exchangeRaw(server.port, request)).status).toBe(200);
});
