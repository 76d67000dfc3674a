import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { until } from '../../../../harness/until.ts';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

// For a request that cannot be parsed, or that requests a tunnel, Node passes the bare socket to
// the listener, which then must close it.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const requests = [
  ['a tunnel', 'CONNECT gateway.test:443 HTTP/1.1\r\nhost: gateway.test\r\n\r\nhello'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n'],
  ['headers that are too large', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
] as const;

/** A client that has sent a request, and never ends the connection itself. */
async function sent(request: string): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  socket.write(request, 'latin1');
  return socket;
}

/** The number of client sockets that the listener has open. */
function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server.listener.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

function untilNone() {
  return until(async () => (await connections()) === 0);
}

test.each([
  'GET /v1/models HTTP/1.1\r\nhost: a\r\nx-api-key: a\0b\r\n\r\n',
  'GET /v1/models HTTP/1.1\r\nhost: a\r\nx-api\0-key: ab\r\n\r\n',
  'GET /v1/mod\0els HTTP/1.1\r\nhost: a\r\n\r\n',
  'GET /v1/models?a=\0 HTTP/1.1\r\nhost: a\r\n\r\n',
  'FOO /v1/models HTTP/1.1\r\nhost: a\r\nx-api-key: a\0b\r\n\r\n',
])('U+0000 in a head is rejected: %j', async (request) => {
  const { status } = await exchangeRaw(server.port, request);
  expect([400, 403]).toContain(status);
});

describe.each(requests)('a client that requests %s', (_what, request) => {
  // An unhandled error ends a process, and this run.
  test('and breaks off harms no one', async () => {
    for (let delayMs = 0; delayMs < 20; delayMs++) {
      const socket = await sent(request);
      await pause(delayMs % 4);
      socket.resetAndDestroy();
    }
    await untilNone();
    const answer = await exchangeRaw(server.port, requestText('GET /health', {}));
    expect(answer.status).toBe(200);
  });

  test('and stays connected is closed', async () => {
    const sockets = await Promise.all(Array.from({ length: 10 }, () => sent(request)));
    await Promise.all(sockets.map((socket) => once(socket, 'end')));
    await untilNone();
    for (const socket of sockets) socket.destroy();
  });
});
