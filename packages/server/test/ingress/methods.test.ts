import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchangeRaw, openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
});
afterAll(() => server.close());

describe('methods', () => {
  test.each(['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH'])(
    '%s is an ordinary method: 404',
    async (method) => {
      const request = requestText(`${method} /v1/chat`, { 'x-api-key': key });
      const answer = await exchangeRaw(server.port, request);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
  );

  test('HEAD is too, but its response has no body', async () => {
    const connection = await openRaw(server.port);
    connection.write(requestText('HEAD /v1/usage', { 'x-api-key': key }));
    const answer = await connection.answer({ hasBody: false });
    expect(answer.status).toBe(404);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
    connection.write(requestText('GET /health', {}));
    expect((await connection.answer()).text).toBe('{"status":"ok"}');
    connection.close();
  });

  test.each(['/', '/health'])('HEAD %s is answered like GET, without a body', async (path) => {
    const connection = await openRaw(server.port);
    connection.write(requestText(`GET ${path}`, {}));
    const got = await connection.answer();
    connection.write(requestText(`HEAD ${path}`, {}));
    const answer = await connection.answer({ hasBody: false });
    const facts = (one: typeof answer) => [one.status, one.headers.get('content-length')];
    expect(facts(answer)).toEqual(facts(got));
    expect(answer.headers.get('content-type')).toBe('application/json');
    connection.write(requestText('GET /health', {}));
    expect((await connection.answer()).text).toBe('{"status":"ok"}');
    connection.close();
  });

  test('HEAD before a malformed request has no body either', async () => {
    const connection = await openRaw(server.port);
    const headers = { 'x-api-key': key, 'transfer-encoding': 'chunked' };
    connection.write(`${requestText('HEAD /v1/usage', headers)}x\r\n`);
    const { status, headers: got } = await connection.answer({ hasBody: false });
    expect([status, Date.parse(got.get('date') ?? '') > 0]).toEqual([400, true]);
    await expect(connection.answer()).rejects.toThrow('ended after ""');
  });

  const unknown = ['FOO', 'BREW', 'get', 'GETX', 'GE', 'X-1', 'CONNECT'];

  test.each(unknown)(
    '%s, which the parser does not support, is judged by its key',
    async (method) => {
      const target = method === 'CONNECT' ? 'gateway.test:443' : '/v1/chat';
      const line = `${method} ${target}`;
      const known = await openRaw(server.port);
      known.write(requestText(line, { 'x-api-key': key }));
      const answer = await known.answer();
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toEqual({
        error: {
          code: 'NOT_FOUND',
          message: expect.stringContaining(`The route ${line} does not exist;`),
        },
      });
      expect(answer.headers.get('connection')).toBe('close');
      expect(Date.parse(answer.headers.get('date') ?? '')).toBeGreaterThan(0);
      expect(answer.headers.get('x-should-retry')).toBe('false');
      await known.ended();
      const none = await exchangeRaw(server.port, requestText(line, {}));
      expect([none.status, none.text]).toEqual([403, '{"message":"Forbidden"}']);
      const odd = requestText(line, { 'x-api-key': key, 'X-Api-Key': key });
      expect((await exchangeRaw(server.port, odd)).status).toBe(400);
      const noHost = `${line} HTTP/1.1\r\nx-api-key: ${key}\r\n\r\n`;
      expect((await exchangeRaw(server.port, noHost)).status).toBe(400);
    },
  );

  test('a request with separate header lines is 404, for any key', async () => {
    const connection = await openRaw(server.port);
    connection.write('FOO /v1/chat HTTP/1.1\r\nhost: gateway.test\r\n');
    const answer = await connection.answer();
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    await connection.ended();
  });

  test('a request after another one is distinguished from its body', async () => {
    const connection = await openRaw(server.port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    connection.write(
      requestText('POST /v1/chat', headers, '{}') + requestText('FOO /a', { 'x-api-key': key }),
    );
    expect((await connection.answer()).status).toBe(400);
    const answer = await connection.answer();
    expect([answer.status, answer.text]).toEqual([
      404,
      expect.stringContaining('The route FOO /a does not exist;'),
    ]);
    await connection.ended();
  });

  test('an upgrade is not accepted: the request is answered unchanged', async () => {
    const headers = { 'x-api-key': key, connection: 'Upgrade', upgrade: 'websocket' };
    const answer = await exchangeRaw(server.port, requestText('GET /v1/usage', headers));
    expect(answer.status).toBe(200);
  });

  test('OPTIONS of everything is not a route', async () => {
    const answer = await exchangeRaw(server.port, requestText('OPTIONS *', { 'x-api-key': key }));
    expect(answer.status).toBe(404);
  });
});
