import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOptions } from '../../src/ingress/http/options.ts';
import { acceptPipelined, pipelinedMax } from '../../src/ingress/http/pipelining.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createAdminListener } from '../../src/observe/admin-listener.ts';
import { exchangeRaw, openRaw, requestText } from '../support/raw-http.ts';

let listener: Server;
let port: number;
beforeAll(async () => {
  const page = { status: 200, contentType: 'text/plain', text: 'what there is: ä' };
  const broken = () => Promise.reject(new Error('the secret of page'));
  listener = createAdminListener({
    pages: { '/page': () => page, '/broken': broken },
    log: silentLog,
    isAccepted: acceptPipelined,
    http: httpOptions,
    hosts: ['gateway.test', 'gateway.acme.example'],
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});
afterAll(() => {
  listener.close();
  listener.closeAllConnections();
});

async function ask(start: string, body?: string) {
  const { status, text, headers } = await exchangeRaw(port, requestText(start, {}, body));
  return { status, text, type: headers.get('content-type') };
}

function askAs(headers: Record<string, string>) {
  return exchangeRaw(port, requestText('GET /page', headers));
}

describe('the admin listener', () => {
  test.each([
    ['of a page', {}, 200],
    ['that expect something', { expect: 'a' }, 417],
  ])('answers few concurrent requests %s, and closes', async (_name, sent, expected) => {
    const connection = await openRaw(port);
    connection.write(requestText('GET /page', sent).repeat(3 * pipelinedMax));
    for (let answers = 1; answers <= pipelinedMax; answers++) {
      const { status, headers } = await connection.answer();
      const isLast = answers === pipelinedMax;
      expect([status, headers.get('connection') === 'close']).toEqual([expected, isLast]);
    }
    await expect(connection.answer()).rejects.toThrow('ended after ""');
  });

  test.each([
    'GET /page HTTP/1.1\r\nHost: gateway.test\r\nx-a: a\0b\r\n\r\n',
    'GET /page HTTP/1.1\r\nHost: gateway.test\r\nx\0a: ab\r\n\r\n',
    'GET /pa\0ge HTTP/1.1\r\nHost: gateway.test\r\n\r\n',
    'GET /page?a=\0 HTTP/1.1\r\nHost: gateway.test\r\n\r\n',
  ])('rejects U+0000 in a request: %j', async (request) => {
    expect((await exchangeRaw(port, request)).status).toBe(400);
  });

  test('rejects a request with two Host headers: a proxy may have checked one', async () => {
    const lines = ['GET /page HTTP/1.1', 'Host: gateway.test', 'host: other.test', '', ''];
    const { status, text } = await exchangeRaw(port, lines.join('\r\n'));
    expect([status, text]).toEqual([400, '{"message":"Bad Request: more than one Host header"}']);
  });

  test('shows a page, whatever the query', async () => {
    const page = { status: 200, text: 'what there is: ä', type: 'text/plain' };
    expect(await ask('GET /page')).toEqual(page);
    expect(await ask('GET /page?name=a')).toEqual(page);
  });

  test.each([
    'GET /',
    'GET /page/',
    'GET /Page',
    'GET /v1/usage',
    'GET /health',
    'GET /__proto__',
    'GET /constructor',
    'POST /page',
    'PUT /page',
    'DELETE /page',
    'OPTIONS /page',
  ])('has no other page: %s', async (start) => {
    const nothing = { status: 404, text: '{"message":"Not Found"}', type: 'application/json' };
    expect(await ask(start)).toEqual(nothing);
  });

  test.each(['gateway.acme.example', 'GATEWAY.acme.example:8788', 'localhost:1', 'gateway:8788'])(
    'accepts requests with the host %s',
    async (host) => {
      expect((await askAs({ host })).status).toBe(200);
    },
  );

  test.each(['127.0.0.1', '10.1.2.3:8788', '[::1]:8788'])(
    'answers at its address %s',
    async (host) => {
      expect((await askAs({ host })).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:8788',
    'gateway.acme.example.evil.example',
    '127.0.0.1.evil.example',
  ])('rejects a page whose own name %s points here', async (host) => {
    const { status, text } = await askAs({ host });
    expect(status).toBe(403);
    expect(text).toContain('add it to admin.hosts in the configuration');
    expect(text).not.toContain('what there is');
  });

  test.each([
    ['none', 200],
    ['same-origin', 200],
    ['same-site', 403],
    ['cross-site', 403],
    ['anything', 403],
  ])('answers a browser whose page belongs to the site %s with %d', async (site, status) => {
    expect((await askAs({ 'sec-fetch-site': site })).status).toBe(status);
  });

  test.each(['/page', '/page?name=a'])('answers HEAD %s like GET, without a body', async (path) => {
    const connection = await openRaw(port);
    connection.write(requestText(`HEAD ${path}`, {}));
    const { status, headers } = await connection.answer({ hasBody: false });
    const length = String(Buffer.byteLength('what there is: ä'));
    expect([status, headers.get('content-length')]).toEqual([200, length]);
    connection.write(requestText('GET /page', {}));
    expect((await connection.answer()).text).toBe('what there is: ä');
    connection.close();
  });

  test.each(['/', '/health', '/v1/usage'])('HEAD %s is not found, like GET', async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'HEAD' });
    expect(response.status).toBe(404);
  });

  test.each([
    [
      'a length that is no number',
      'GET /page HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n',
      400,
    ],
    ['an unknown method', requestText('BREW /page', {}), 400],
    ['long headers', requestText('GET /page', { long: 'a'.repeat(20_000) }), 431],
  ])('dates the answer to %s', async (_, text, status) => {
    const answer = await exchangeRaw(port, text);
    expect(answer.status).toBe(status);
    expect(Date.parse(answer.headers.get('date') ?? '')).toBeGreaterThan(0);
  });

  test('drops a body, and serves the connection on', async () => {
    const connection = await openRaw(port);
    connection.write(requestText('POST /page', {}, 'a'.repeat(100_000)));
    expect((await connection.answer()).status).toBe(404);
    connection.write(requestText('GET /page', {}));
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('shows nothing of the failure of a page', async () => {
    const answer = await ask('GET /broken');
    expect(answer).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
  });

  test('has the limits of the main listener', async () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = listener;
    expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([10_000, 15_000, 75_000]);
    const long = requestText('GET /page', { 'x-long': 'a'.repeat(20_000) });
    expect((await exchangeRaw(port, long)).status).toBe(431);
  });
});
