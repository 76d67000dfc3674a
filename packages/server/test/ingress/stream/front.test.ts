import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../../../../harness/until.ts';
import { CallError } from '../../../src/calls/model/call-error.ts';
import { failed } from '../../../src/calls/model/result.ts';
import { createFetch } from '../../../src/ingress/http/fetch.ts';
import { createListener } from '../../../src/ingress/http/listener.ts';
import { chatOf } from '../../support/exchange.ts';
import { exchangeRaw, requestText } from '../../support/raw-http.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createFakeCall, done, type FakeIngress, openFakeIngress } from './fake-call.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A client on a socket, whose bytes are stored as they arrive. */
async function connected({ ingress }: FakeIngress) {
  const server = createListener(ingress).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  closing.push(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const ask = (path: string) => void socket.write(requestOf(path));
  return { port, socket, text: () => text, ask };
}

const headers = { 'x-api-key': 'any', 'content-type': 'application/json' };
const body = JSON.stringify(chatOf('sim-echo'));

function requestOf(path: string): string {
  return requestText(`POST ${path}`, headers, body);
}

function posted(front: FakeIngress, path = '/v1/chat/stream', init: RequestInit = {}) {
  const request = { method: 'POST', body, headers, ...init };
  return createFetch(front.ingress)(`http://gateway.test${path}`, request);
}

test('a head goes out with the first content, and not before', async () => {
  const call = createFakeCall();
  const begun = Promise.withResolvers<void>();
  const front = openFakeIngress({ run: () => begun.promise.then(() => call.live) });
  const client = await connected(front);
  client.ask('/v1/chat/stream');
  await until(() => front.contexts.length === 1);
  // The listener has reached the request that came after it.
  const other = await exchangeRaw(client.port, requestText('GET /', {}));
  const answered = () => front.answered.filter(({ status }) => status !== other.status);
  expect(client.text()).toBe('');
  begun.resolve();
  await until(() => client.text().includes('event: start'));
  const [head = ''] = client.text().split('\r\n\r\n');
  for (const line of [
    'HTTP/1.1 200 OK',
    'content-type: text/event-stream; charset=utf-8',
    'cache-control: no-store',
    'x-accel-buffering: no',
    'x-content-type-options: nosniff',
    'transfer-encoding: chunked',
  ]) {
    expect(head.toLowerCase()).toContain(line.toLowerCase());
  }
  expect(head).toMatch(/x-request-id: req_/);
  expect(answered()).toEqual([]);
  expect(front.permits()).toBe(1);
  call.end(done('a'));
  await until(() => client.text().endsWith('0\r\n\r\n'));
  await until(() => front.permits() === 0);
  expect(answered()).toMatchObject([{ status: 200, facts: { end: 'finish' } }]);
  expect(front.ingress.inFlight()).toBe(0);
  expect(front.streams.count()).toBe(0);
});

test('responses arrive in the order of their requests, on a kept connection', async () => {
  const call = createFakeCall();
  const front = openFakeIngress({
    run: async ({ stream }) => (stream === undefined ? done('whole') : call.live),
  });
  const client = await connected(front);
  client.ask('/v1/chat/stream');
  client.ask('/v1/chat');
  await until(() => front.answered.length === 1);
  call.emit('first');
  await until(() => client.text().includes('first'));
  expect(client.text()).not.toContain('whole');
  call.end(done('first'));
  await until(() => client.text().includes('whole'));
  client.ask('/v1/chat');
  await until(() => client.text().split('"whole"').length === 3);
});

test.each(['closes its side of the connection', 'resets it'] as const)(
  'a client that %s has disconnected',
  async (how) => {
    const call = createFakeCall();
    const front = openFakeIngress({ run: async () => call.live });
    const client = await connected(front);
    client.ask('/v1/chat/stream');
    await until(() => client.text().includes('event: start'));
    if (how === 'resets it') client.socket.resetAndDestroy();
    else client.socket.end();
    await until(() => call.disconnectReason() === 'left');
    expect(front.ended).toMatchObject([{ end: 'left' }]);
    expect(front.contexts[0]?.callerDisconnected.hasFired()).toBe(true);
    await until(() => front.permits() === 0);
  },
);

test('the delivered text is the text that the socket has accepted', async () => {
  const call = createFakeCall();
  const front = openFakeIngress({ run: async () => call.live });
  const client = await connected(front);
  client.ask('/v1/chat/stream');
  await until(() => client.text().includes('event: start'));
  expect(call.deliveredBytes()).toBe(0);
  call.emit('grün');
  await until(() => call.deliveredBytes() === 5);
});

test('the gateway’s time limit ends with the head, and else with its 504', async () => {
  const clock = createTestClock();
  const call = createFakeCall();
  const front = openFakeIngress({ clock, run: async () => call.live });
  const answer = await posted(front);
  const text = answer.text();
  await clock.advance(120_000);
  call.end(done('late'));
  expect(await clock.run(text)).toContain('event: finish');
  const never = openFakeIngress({ clock, run: () => new Promise(() => undefined) });
  expect((await clock.run(posted(never))).status).toBe(504);
});

test('a live call that arrives after a 504 is detached', async () => {
  const clock = createTestClock();
  const call = createFakeCall();
  const begun = Promise.withResolvers<void>();
  const front = openFakeIngress({ clock, run: () => begun.promise.then(() => call.live) });
  expect((await clock.run(posted(front))).status).toBe(504);
  begun.resolve();
  await clock.settle();
  expect(call.disconnectReason()).toBe('left');
  expect(front.streams.count()).toBe(0);
  expect(front.permits()).toBe(0);
});

test('without a socket it also streams, as fast as it is read', async () => {
  const call = createFakeCall();
  const front = openFakeIngress({ run: async () => call.live, limits: { aheadBytes: 100 } });
  const answer = await posted(front);
  const reader = answer.body?.getReader();
  call.emit('x'.repeat(200));
  await until(() => call.isHeld());
  while (call.deliveredBytes() === 0) await reader?.read();
  expect(call.isHeld()).toBe(false);
  await reader?.cancel();
  expect(call.disconnectReason()).toBe('left');
});

test('an earlier failure has its status and its body', async () => {
  const error = new CallError('THROTTLED', 'Too much.', { model: 'sim-echo' });
  const front = openFakeIngress({ run: async () => failed(error) });
  const answer = await posted(front);
  expect(answer.status).toBe(429);
  expect(await answer.json()).toEqual({
    error: { code: 'THROTTLED', message: 'Too much.', model: 'sim-echo' },
  });
});

test('an existing result is sent at once: start, one text, the response', async () => {
  const front = openFakeIngress({ run: async () => ({ ...done('Hello'), isReplayed: true }) });
  const answer = await posted(front);
  expect(answer.headers.get('idempotent-replayed')).toBe('true');
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const text = await answer.text();
  expect(text.match(/^event: .*$/gm)).toEqual(['event: start', 'event: text', 'event: finish']);
});

test('above `inFlight` it is the gateway’s 429, and no call', async () => {
  const calls = [createFakeCall(), createFakeCall()];
  const front = openFakeIngress({
    limits: { inFlight: 1 },
    run: async () => calls[front.contexts.length - 1]?.live ?? done(''),
  });
  const first = await posted(front);
  const refused = await posted(front);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({ message: 'Too Many Requests' });
  expect(front.contexts).toHaveLength(1);
  calls[0]?.end(done('a'));
  await first.text();
  expect((await posted(front)).status).toBe(200);
});

test('`last-event-id` is the number of the caller’s last event', async () => {
  const front = openFakeIngress({ run: async () => done('a') });
  for (const id of ['x', '-1', '1.5', '1e3', '', '9'.repeat(16)]) {
    const answer = await posted(front, undefined, { headers: { ...headers, 'last-event-id': id } });
    expect([id, answer.status]).toEqual([id, 400]);
  }
  for (const [id, after] of [
    ['0', 0],
    ['1', 0],
    ['7', 6],
  ] as const) {
    await posted(front, undefined, { headers: { ...headers, 'last-event-id': id } });
    expect(front.contexts.at(-1)?.stream).toEqual({ after });
  }
});
