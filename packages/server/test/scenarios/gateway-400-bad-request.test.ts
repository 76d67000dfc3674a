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
  expect(server.simulator.bill().total.calls).toBe(0);
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

/** A request that is none, written when its key is known. */
type Malformed = readonly [what: string, request: () => string | Uint8Array];

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
  ['a method that is none', () => requestText('FETCH /v1/usage', { 'x-api-key': key })],
  ['a method in small letters', () => requestText('get /v1/usage', { 'x-api-key': key })],
  ['CONNECT', () => requestText('CONNECT gateway.test:443', { 'x-api-key': key })],
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
  'another header twice is no harm: %s',
  async (line) => {
    const usage = ['GET /v1/usage HTTP/1.1', 'host: a', `x-api-key: ${key}`, line, line];
    expect((await exchangeRaw(server.port, `${usage.join('\r\n')}\r\n\r\n`)).status).toBe(200);
  },
);
