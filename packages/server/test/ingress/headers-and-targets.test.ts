import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatOf } from '../support/exchange.ts';
import { exchangeRaw, openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
});
afterAll(() => server.close());

const body = JSON.stringify(chatOf('sim-echo'));

/** A POST of the valid body with more header lines. */
async function post(lines: readonly string[], path = '/v1/chat') {
  const own = [`x-api-key: ${key}`, 'host: a', `content-length: ${body.length}`];
  const head = [`POST ${path} HTTP/1.1`, ...own, ...lines].join('\r\n');
  const { status, text } = await exchangeRaw(server.port, `${head}\r\n\r\n${body}`);
  return { status, error: JSON.parse(text).error };
}

const json = 'content-type: application/json';

describe('a header that must occur once', () => {
  test.each([
    ['idempotency-key', [json, 'idempotency-key: a', 'Idempotency-Key: b']],
    ['idempotency-key', [json, 'idempotency-key: a', 'idempotency-key: a']],
    ['content-type', [json, json]],
    ['content-type', [json, 'Content-Type: text/plain']],
  ])('%s is rejected when it occurs twice: %j', async (name, lines) => {
    const { status, error } = await post(lines);
    const message = `The header ${name} was sent more than once; send it once.`;
    expect({ status, error }).toEqual({ status: 400, error: { code: 'INVALID', message } });
  });

  test('is not checked before the route', async () => {
    const lines = [json, 'idempotency-key: a', 'idempotency-key: b'];
    expect((await post(lines, '/v1/nowhere')).status).toBe(404);
    expect((await post(lines, '/v1/chat/stream')).status).toBe(501);
  });

  test('can contain a comma', async () => {
    expect((await post([json, 'idempotency-key: a, b'])).status).toBe(200);
  });
});

describe('content-encoding', () => {
  test.each(['gzip', 'br', 'deflate, gzip', 'identity, gzip', 'aws-chunked'])(
    '%s is rejected, with its name and the correction',
    async (coding) => {
      const { status, error } = await post([json, `content-encoding: ${coding}`]);
      const message = `content-encoding "${coding}" is not supported; send uncompressed JSON without this header.`;
      expect({ status, error }).toEqual({ status: 400, error: { code: 'INVALID', message } });
    },
  );

  test.each(['identity', 'Identity', ''])('%j means that there is none', async (coding) => {
    expect((await post([json, `content-encoding: ${coding}`])).status).toBe(200);
  });

  test('has no meaning on a route without a body', async () => {
    const headers = { 'x-api-key': key, 'content-encoding': 'gzip' };
    expect((await exchangeRaw(server.port, requestText('GET /v1/usage', headers))).status).toBe(
      200,
    );
  });
});

describe('the path is the sent path', () => {
  test.each<readonly [string, number]>([
    ['/v1/models', 200],
    ['http://gateway.test/v1/models', 200],
    ['HTTPS://gateway.test:443/v1/models?a=/b', 200],
    ['/a/../v1/models', 404],
    ['http://gateway.test/a/../v1/models', 404],
    ['/v1/./models', 404],
    ['http://gateway.test/v1/./models', 404],
    ['http://gateway.test/v1/%6dodels', 404],
    ['http://gateway.test/v1\\models', 404],
    ['http://gateway.test//v1/models', 404],
    ['ftp://gateway.test/v1/models', 404],
  ])('%s: %i', async (target, status) => {
    const request = requestText(`GET ${target}`, { 'x-api-key': key });
    expect((await exchangeRaw(server.port, request)).status).toBe(status);
  });

  test('also without a key', async () => {
    const answer = await exchangeRaw(server.port, requestText('GET http://gateway.test?a=1', {}));
    expect(JSON.parse(answer.text)).toMatchObject({ name: 'model-gateway' });
  });
});

test('a malformed request ends its connection', async () => {
  const connection = await openRaw(server.port);
  const twice = `GET /health HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n`;
  connection.write(twice + requestText('GET /health', {}));
  const { status, headers } = await connection.answer();
  expect([status, headers.get('connection')]).toEqual([400, 'close']);
  await connection.ended();
  await expect(connection.answer()).rejects.toThrow('ended after ""');
});
