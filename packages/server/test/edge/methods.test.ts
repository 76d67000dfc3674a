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
    '%s is a method like any other: 404',
    async (method) => {
      const request = requestText(`${method} /v1/chat`, { 'x-api-key': key });
      const answer = await exchangeRaw(server.port, request);
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 'NOT_FOUND' } });
    },
  );

  test('HEAD is one, too, though its answer shows no body', async () => {
    const connection = await openRaw(server.port);
    connection.write(requestText('HEAD /v1/usage', { 'x-api-key': key }));
    const answer = await connection.answer({ hasBody: false });
    expect(answer.status).toBe(404);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0);
    connection.write(requestText('GET /health', {}));
    expect((await connection.answer()).text).toBe('{"status":"ok"}');
    connection.close();
  });

  test('an upgrade is not taken: the request is answered as it is', async () => {
    const headers = { 'x-api-key': key, connection: 'Upgrade', upgrade: 'websocket' };
    const answer = await exchangeRaw(server.port, requestText('GET /v1/usage', headers));
    expect(answer.status).toBe(200);
  });

  test('OPTIONS of everything is no route', async () => {
    const answer = await exchangeRaw(server.port, requestText('OPTIONS *', { 'x-api-key': key }));
    expect(answer.status).toBe(404);
  });
});
