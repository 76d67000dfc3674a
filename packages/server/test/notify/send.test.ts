import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createResolve } from '../../src/notify/resolve.ts';
import { createSend, sendMs } from '../../src/notify/send.ts';
import { createTestClock } from '../support/test-clock.ts';
import { startHostile, startReceiver } from './support/receiver.ts';
import { secret, webhookTo } from './support/webhooks.ts';

const message = { id: 'evt_1', body: '{"type":"test"}' };
const parts = { clock: systemClock, resolve: createResolve(), version: '1.2.3' };
const send = createSend(parts);

/** A webhook whose name is resolved, with the port of a receiver on this machine. */
const named = (url: string) => url.replace('127.0.0.1', 'hooks.example');

test('a receiver verifies a delivery with the library of the standard', async () => {
  const { received, url } = await startReceiver((response) => response.end());
  const sent = await send(webhookTo(`${url}/a/b?sig=x`), message);
  expect(sent).toEqual({ kind: 'answered', status: 200, retryAfterMs: undefined, words: '' });
  const [got] = received;
  expect(got).toMatchObject({ path: '/a/b?sig=x', body: message.body });
  expect(got?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'model-gateway/1.2.3',
    'webhook-id': 'evt_1',
  });
  const headers = Object.fromEntries(
    Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual({ type: 'test' });
});

test('while a secret is rotated a receiver may have either', async () => {
  const next = `whsec_${Buffer.alloc(64, 9).toString('base64')}`;
  const { received, url } = await startReceiver((response) => response.end());
  await send(webhookTo(url, { secrets: [secret, next] }), message);
  await send(webhookTo(url, { secrets: [] }), message);
  const [got, unsigned] = received.map(({ headers }) => ({
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  }));
  for (const each of [secret, next]) {
    expect(new Webhook(each).verify(message.body, got ?? {})).toEqual({ type: 'test' });
  }
  const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  expect(() => new Webhook(other).verify(message.body, got ?? {})).toThrow('No matching signature');
  expect(unsigned?.['webhook-signature']).toBe('undefined');
});

test('a redirect is a response: it is not followed', async () => {
  const other = await startReceiver((response) => response.end());
  const { url } = await startReceiver((response) =>
    response.writeHead(307, { location: other.url }).end(),
  );
  expect(await send(webhookTo(url), message)).toMatchObject({ status: 307 });
  expect(other.received).toEqual([]);
});

test('an endless body is not read, and its connection ends with the headers', async () => {
  let sentBytes = 0;
  const { sockets, url } = await startHostile((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const flood = () => {
        sentBytes += chunk.length;
        if (socket.write(chunk)) setImmediate(flood);
        else socket.once('drain', flood);
      };
      flood();
    });
  });
  expect(await send(webhookTo(url), message)).toMatchObject({ kind: 'answered', status: 200 });
  await until(() => sockets[0]?.destroyed === true);
  // The capacity of the system's own socket buffers, and no more.
  expect(sentBytes).toBeLessThan(32_000_000);
});

test('a receiver’s text is reported up to the requested length, as plain text', async () => {
  const { url } = await startReceiver((response) => {
    response.writeHead(400).end(`\u001b[31minvalid\n payload${'x'.repeat(5_000)}`);
  });
  const sent = await send(webhookTo(url), { ...message, readsText: true });
  expect(sent).toMatchObject({
    status: 400,
    words: expect.stringMatching(/^\[31minvalid payloadx+$/),
  });
  expect(sent.kind === 'answered' && sent.words.length).toBeLessThanOrEqual(1_024);
  expect(await send(webhookTo(url), message)).toMatchObject({ status: 400, words: '' });
});

test.each([
  ['10 MB of headers', `HTTP/1.1 200 OK\r\n${`x-a: ${'y'.repeat(1_000)}\r\n`.repeat(10_000)}\r\n`],
  ['what is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['half a head, and its end', 'HTTP/1.1 200 OK\r\nx'],
])('%s is not a valid response', async (_, bytes) => {
  const { url } = await startHostile((socket) => socket.once('data', () => socket.end(bytes)));
  const sent = await send(webhookTo(url), message);
  expect(sent).toEqual({
    kind: 'failed',
    reason: expect.stringMatching(/^not sent: [\w ]+(?: \(\w+\))?$/),
  });
});

test('a receiver that resets the connection, or does not listen, gives no response', async () => {
  const { url } = await startHostile((socket) => socket.resetAndDestroy());
  expect(await send(webhookTo(url), message)).toMatchObject({ kind: 'failed' });
  expect(await send(webhookTo('http://127.0.0.1:1'), message)).toEqual({
    kind: 'failed',
    reason: 'not sent: nothing listens at its address (ECONNREFUSED)',
  });
});

test.each([
  ['never answers', ''],
  ['says a byte at a time', 'HTTP/1.1 200 OK\r\nx-a: '],
  ['says over and over that it goes on', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
])('a receiver that %s has 15 s', async (_, bytes) => {
  const clock = createTestClock();
  const { sockets, url } = await startHostile((socket) => {
    socket.once('data', () => socket.write(bytes));
  });
  const sent = createSend({ ...parts, clock })(webhookTo(url), message);
  await until(() => sockets[0] !== undefined && sockets[0].bytesRead > 0);
  await clock.advance(sendMs - 1);
  expect(sockets[0]?.destroyed).toBe(false);
  await clock.advance(1);
  expect(await sent).toEqual({ kind: 'failed', reason: 'no response within 15 s' });
  await until(() => sockets[0]?.destroyed === true);
});

test('a name that resolves to a private address is not connected to', async () => {
  const { sockets, url } = await startHostile((socket) => socket.end());
  const asked: string[] = [];
  const resolve = createResolve(async (hostname) => {
    asked.push(hostname);
    return [{ address: '127.0.0.1', family: 4 }];
  });
  const guarded = createSend({ ...parts, resolve });
  const refused = {
    kind: 'failed',
    reason: 'its address is not public and allowPrivate is not set',
  };
  expect(await guarded(webhookTo(named(url), { allowPrivate: false }), message)).toEqual(refused);
  const secure = webhookTo(named(url).replace('http:', 'https:'), { allowPrivate: false });
  expect(await guarded(secure, message)).toEqual(refused);
  expect(asked).toEqual(['hooks.example', 'hooks.example']);
  expect(sockets).toEqual([]);
  expect(await guarded(webhookTo(named(url)), message)).not.toEqual(refused);
  expect(sockets).toHaveLength(1);
});

test('of a name with several addresses only public ones are connected to', async () => {
  const { sockets, url } = await startHostile((socket) => socket.end());
  const clock = createTestClock();
  const resolve = createResolve(async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
    { address: '::ffff:127.0.0.1', family: 6 },
  ]);
  const guarded = createSend({ ...parts, clock, resolve });
  const hook = webhookTo(named(url), { allowPrivate: false });
  expect(await guarded(hook, message)).toMatchObject({ kind: 'failed' });
  expect(sockets).toEqual([]);
});

test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '0'])(
  'an address in the URL, %s, is not connected to',
  async (host) => {
    const { sockets, url } = await startHostile((socket) => socket.end());
    const hook = webhookTo(url.replace('127.0.0.1', host), { allowPrivate: false });
    expect(await send(hook, message)).toEqual({
      kind: 'failed',
      reason: 'its address is not public and allowPrivate is not set',
    });
    expect(sockets).toEqual([]);
  },
);

test('names whose resolution hangs use at most two threads, and one name uses one', async () => {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const resolve = createResolve((hostname) => {
    asked.push(hostname);
    return new Promise((done) => answers.push(() => done([])));
  });
  const all = ['a', 'a', 'b', 'c', 'b'].map(resolve);
  await until(() => asked.length === 2);
  expect(asked).toEqual(['a', 'b']);
  answers[0]?.();
  await until(() => asked.length === 3);
  for (const answer of answers.slice(1)) answer();
  await until(() => answers.length === 3);
  answers[2]?.();
  expect(await Promise.all(all)).toEqual([[], [], [], [], []]);
});
