import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { openRaw, requestText } from '../support/raw-http.ts';
import { startServer } from '../support/server.ts';

test('a request that does not arrive in time gets an error, and is disconnected', async () => {
  const server = await startServer();
  const accepted = new Promise<Duplex>((resolve) => server.listener.once('connection', resolve));
  const connection = await openRaw(server.port);
  connection.write(requestText('GET /v1/usage', {}).slice(0, 20));
  // Node reports it after the 10 s that a test does not wait for.
  const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.listener.emit('clientError', late, await accepted);
  const answer = await connection.answer();
  expect([answer.status, answer.text]).toEqual([408, '{"message":"Request Timeout"}']);
  expect(answer.headers.get('connection')).toBe('close');
  await connection.ended();
  connection.close();
  await server.close();
});

test('a timed-out request is counted once, however its socket ends', async () => {
  const server = await startServer();
  const accepted = new Promise<Duplex>((resolve) => server.listener.once('connection', resolve));
  const connection = await openRaw(server.port);
  connection.write(requestText('GET /v1/usage', {}).slice(0, 20));
  const socket = await accepted;
  const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  server.listener.emit('clientError', late, socket);
  await connection.ended();
  server.listener.emit('clientError', new Error('Parse Error'), socket);
  const page = await server.service.monitor.pages['/metrics']?.();
  const counted = page?.text
    .split('\n')
    .filter((line) => line.startsWith('model_gateway_requests_'));
  expect(counted).toEqual([expect.stringMatching(/status="408",code="REQUEST_TIMEOUT"\} 1$/)]);
  connection.close();
  await server.close();
});

test('requests have 15 seconds to arrive, and their headers 10', async () => {
  const { listener, close } = await startServer();
  expect(listener).toMatchObject({ headersTimeout: 10_000, requestTimeout: 15_000 });
  await close();
});
