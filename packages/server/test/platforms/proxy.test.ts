import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createSecureContext } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ProxyAddress, parseProxy } from '../../src/lib/proxy-address.ts';
import { createRoutes } from '../../src/lib/proxy-route.ts';
import type { UndiciTransportOptions } from '../../src/platforms/http/undici-transport.ts';
import { type Misbehavior, portOf, startProxy, type TestProxy } from '../support/proxy.ts';
import { createSelfSigned } from '../support/self-signed.ts';
import { answerOf, failureOf, releaseAll, sendTo } from './support/exchanges.ts';

const host = 'platform.test';
const own = createSelfSigned(host);
const server: Server = createServer((request, response) => {
  response.end(JSON.stringify({ path: request.url, host: request.headers.host }));
});
const opened: TestProxy[] = [];
let targets: ReadonlyMap<string, number>;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  targets = new Map([
    [`${host}:443`, port],
    [`${host}:80`, port],
  ]);
});
afterEach(async () => {
  await releaseAll();
  for (const proxy of opened.splice(0)) await proxy.close();
});
afterAll(() => void server.close());

async function openProxy(more: { instead?: Misbehavior; isInspecting?: boolean } = {}) {
  const { instead, isInspecting = false } = more;
  const proxy = await startProxy({
    targets,
    ...(instead && { instead }),
    ...(isInspecting && { inspect: own }),
  });
  opened.push(proxy);
  return proxy;
}

function proxyAt(text: string): ProxyAddress {
  const found = parseProxy(text, 'HTTPS_PROXY');
  if ('problem' in found) throw new Error(found.problem);
  return found;
}

const by = (text: string, more: Partial<UndiciTransportOptions> = {}) => ({
  way: { routeOf: createRoutes({ proxy: proxyAt(text) }) },
  ...more,
});
const never = () => new AbortController().signal;

describe('a call through a proxy', () => {
  test('over TLS that the proxy inspects, with a login', async () => {
    const proxy = await openProxy({ isInspecting: true });
    const withLogin = proxyAt(proxy.url.replace('//', '//us%65r:p%40ss@'));
    const routeOf = createRoutes({ proxy: withLogin });
    const secureContext = createSecureContext({ ca: own.cert });
    const trusting = { way: { routeOf, secureContext } };
    const answer = await answerOf(sendTo(`https://${host}/base`, never(), trusting));
    expect(JSON.parse(answer.body.toString())).toEqual({
      ...{ path: '/base/v1/chat/completions', host },
    });
    const login = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    expect(proxy.connectRequests).toEqual([{ target: `${host}:443`, login }]);
  });

  test('in clear text, by CONNECT too', async () => {
    const proxy = await openProxy();
    expect(await answerOf(sendTo(`http://${host}`, never(), by(proxy.url)))).toMatchObject({
      status: 200,
    });
    expect(proxy.connectRequests).toEqual([{ target: `${host}:80`, login: undefined }]);
    expect(proxy.others).toEqual([]);
  });

  test('is not made where the authority of the proxy is not trusted', async () => {
    const proxy = await openProxy({ isInspecting: true });
    const failure = await failureOf(sendTo(`https://${host}`, never(), by(proxy.url)));
    expect(failure).toMatchObject({
      ...{ kind: 'lost', wasSent: false, causeCode: 'PROXY_TLS' },
      message: `the proxy ${proxy.label} opened a tunnel, but TLS with ${host}:443 failed in it (DEPTH_ZERO_SELF_SIGNED_CERT); if the proxy inspects TLS, set caFile or NODE_EXTRA_CA_CERTS to its CA`,
    });
  });
});

const saying =
  (text: string): Misbehavior =>
  (socket) =>
    void socket.end(text);

describe('nothing is sent through a proxy that', () => {
  const rows: readonly (readonly [string, Misbehavior, string, RegExp])[] = [
    ['wants a login', saying('HTTP/1.1 407 Login\r\n\r\n'), 'PROXY_407', /requires a login/],
    ['forbids', saying('HTTP/1.1 403 No\r\n\r\nno'), 'PROXY_403', /allow that host on the proxy/],
    ['fails', saying('HTTP/1.0 502 Bad\r\n\r\n'), 'PROXY_502', /could not connect to platform/],
    ['redirects', saying('HTTP/1.1 302 Found\r\n\r\n'), 'PROXY_302', /could not connect/],
    ['closes', (socket) => void socket.end(), 'PROXY_CLOSED', /closed the connection/],
    ['resets', (socket) => void socket.resetAndDestroy(), 'PROXY_ECONNRESET', /ECONNRESET/],
    ['closes in its answer', saying('HTTP/1.1 2'), 'PROXY_CLOSED', /closed the connection/],
    [
      'does not speak HTTP',
      saying(`SSH-2.0-OpenSSH_9.9 ${'x'.repeat(20)}`),
      'PROXY_ODD_ANSWER',
      /did not/,
    ],
    [
      'never ends its head',
      saying(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}`),
      'PROXY_ODD_ANSWER',
      /./,
    ],
    [
      'answers a page',
      saying('HTTP/1.1 200 OK\r\n\r\n<html>'),
      'PROXY_ODD_ANSWER',
      /did not respond like/,
    ],
    [
      'speaks garbage in place of TLS',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n<html></html>'));
      },
      'PROXY_TLS',
      /TLS with platform.test:443 failed in it \(ERR_SSL/,
    ],
    [
      'closes in place of TLS',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', () => socket.end());
      },
      'PROXY_TLS',
      /TLS with platform.test:443 failed in it \(ECONNRESET/,
    ],
  ];
  test.each(rows)('%s', async (_name, instead, causeCode, words) => {
    const proxy = await openProxy({ instead });
    const url = proxy.url.replace('//', '//user:hunter2@');
    const failure = await failureOf(sendTo(`https://${host}`, never(), by(url)));
    expect(failure).toMatchObject({ kind: 'lost', wasSent: false, causeCode });
    expect(failure.message).toMatch(words);
    expect(failure.message).toContain(`the proxy ${proxy.label} `);
    expect(JSON.stringify(failure)).not.toContain('hunter2');
    expect(proxy.connectRequests).toHaveLength(1);
  });

  test.each([
    ['before its answer', (): void => undefined],
    [
      'before TLS',
      (socket: Parameters<Misbehavior>[0]) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'),
    ],
  ])('hangs %s', async (_name, instead) => {
    const proxy = await openProxy({ instead });
    const way = by(proxy.url, { connectMs: 50 });
    expect(await failureOf(sendTo(`https://${host}`, never(), way))).toMatchObject({
      ...{ kind: 'lost', wasSent: false, causeCode: 'PROXY_TIMEOUT' },
      message: expect.stringContaining(`the proxy ${proxy.label} took more than 50 ms`),
    });
  });

  test('is not there', async () => {
    const proxy = await startProxy({ targets });
    await proxy.close();
    expect(await failureOf(sendTo(`https://${host}`, never(), by(proxy.url)))).toMatchObject({
      ...{ kind: 'lost', wasSent: false, causeCode: 'PROXY_ECONNREFUSED' },
      message: `the proxy ${proxy.label} cannot be reached (ECONNREFUSED); check its address in HTTPS_PROXY`,
    });
  });
});

test('a call that is canceled while the proxy hangs was not sent', async () => {
  const controller = new AbortController();
  const proxy = await openProxy({ instead: () => controller.abort() });
  const failure = await failureOf(sendTo(`https://${host}`, controller.signal, by(proxy.url)));
  expect(failure).toMatchObject({ kind: 'aborted', wasSent: false });
});

test('a connection that dies after the request was written may have been billed', async () => {
  const proxy = await openProxy({
    instead(socket) {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.once('data', () => socket.destroy());
    },
  });
  const failure = await failureOf(sendTo(`http://${host}`, never(), by(proxy.url)));
  expect(failure).toMatchObject({ kind: 'lost', wasSent: true });
});
