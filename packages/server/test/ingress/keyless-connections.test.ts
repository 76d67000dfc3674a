import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createConnectionLimits } from '../../src/ingress/http/connection-limits.ts';
import { type HttpOptions, httpOptions } from '../../src/ingress/http/options.ts';
import { createPeers } from '../../src/ingress/http/peers.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { recordingLog } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

const servers: TestServer[] = [];
const opened: RawConnection[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

// All clients of a test are in one network. Each of these tests has a server with simulated
// networks.
let server: TestServer;
beforeAll(async () => {
  server = await start();
});

async function start(http: Partial<HttpOptions> = {}): Promise<TestServer> {
  const started = await startServer({ http: { ...httpOptions, ...http } });
  servers.push(started);
  return started;
}

/** Limits the connections of a server whose clients come from these networks in turn. */
function bound(of: TestServer, connectionsMax: number, networks: readonly string[]) {
  const clock = createTestClock();
  const { log, lines } = recordingLog();
  const limits = createConnectionLimits({ clock, log });
  let next = 0;
  const peers = {
    isProxy: () => false,
    networkOf: () => networks[next++ % networks.length],
  };
  of.listener.removeAllListeners('drop');
  limits.bound(of.listener, 'public', connectionsMax, peers);
  return { limits, lines, clock };
}

const many = (count: number) => Array.from({ length: count }, (_, index) => index);
const networksOf = (count: number) => many(count).map((index) => `192.0.${index}.0/24`);

/** Opens a connection, and waits until the service has accepted it. */
async function open({ port, listener }: TestServer): Promise<RawConnection> {
  const received = once(listener, 'connection');
  const connection = await openRaw(port);
  opened.push(connection);
  await received;
  return connection;
}

async function openMany(of: TestServer, count: number): Promise<readonly RawConnection[]> {
  const connections: RawConnection[] = [];
  for (const _ of many(count)) connections.push(await open(of));
  return connections;
}

function connectionsOf({ listener }: TestServer): Promise<number> {
  return new Promise((resolve) => listener.getConnections((_error, count) => resolve(count)));
}

async function usage(of: TestServer, connection: RawConnection): Promise<number> {
  connection.write(requestText('GET /v1/usage', { 'x-api-key': await of.key('search') }));
  return (await connection.answer()).status;
}

test('a flood of connections without a key excludes no caller with a key', async () => {
  const { limits, lines } = bound(server, 220, networksOf(40));
  const callers = await openMany(server, 4);
  for (const caller of callers) expect(await usage(server, caller)).toBe(200);
  const flood = await openMany(server, 440);
  const late = await openMany(server, 4);
  for (const caller of [...callers, ...late]) expect(await usage(server, caller)).toBe(200);
  // Each was closed for a new connection, the oldest first.
  for (const connection of flood.slice(0, 228)) await connection.ended();
  expect(limits.dropped().public).toBe(0);
  expect(limits.droppedKeyless()).toEqual({ full: 228, network: 0 });
  expect(lines.map(({ level, fields, message }) => ({ level, ...fields, message }))).toEqual([
    {
      ...{ level: 'warn', listener: 'public', connectionsMax: 220, reason: 'full' },
      ...{ network: '192.0.4.0/24', dropped: 1 },
      message: expect.stringContaining('oldest first'),
    },
  ]);
});

test('if all have sent a key the new connection is dropped', async () => {
  const fresh = await start();
  const { limits } = bound(fresh, 5, networksOf(1_000));
  const callers = await openMany(fresh, 5);
  for (const caller of callers) expect(await usage(fresh, caller)).toBe(200);
  const newcomer = await open(fresh);
  await newcomer.ended();
  expect([limits.dropped().public, limits.droppedKeyless().full]).toEqual([1, 0]);
  for (const caller of callers) expect(await usage(fresh, caller)).toBe(200);
  // A caller that disconnects frees a connection.
  callers[0]?.close();
  await until(async () => {
    const next = await open(fresh);
    return (await usage(fresh, next).catch(() => 0)) === 200;
  });
});

test('without a key one network has a tenth, and its oldest connection is closed', async () => {
  const fresh = await start();
  const { limits, lines, clock } = bound(fresh, 100, ['192.0.2.0/24']);
  const callers = await openMany(fresh, 10);
  for (const caller of callers) expect(await usage(fresh, caller)).toBe(200);
  const flood = await openMany(fresh, 50);
  // Each has 1 s to send its key, like the connections of a burst.
  await clock.advance(999);
  expect(limits.droppedKeyless().network).toBe(0);
  await clock.advance(1);
  for (const connection of flood.slice(0, 40)) await connection.ended();
  for (const connection of flood.slice(40)) {
    connection.write(requestText('GET /health', {}));
    expect((await connection.answer()).status).toBe(200);
  }
  // An unknown key does not count as a key.
  flood[40]?.write(requestText('GET /v1/usage', { 'x-api-key': 'nobody-knows-it' }));
  expect((await flood[40]?.answer())?.status).toBe(403);
  expect(await usage(fresh, await open(fresh))).toBe(200);
  for (const caller of callers) expect(await usage(fresh, caller)).toBe(200);
  expect(limits.droppedKeyless()).toEqual({ full: 0, network: 40 });
  await clock.advance(60_000);
  const told = { listener: 'public', connectionsMax: 100, reason: 'network' };
  expect(lines.map(({ fields }) => fields)).toMatchObject([
    { ...told, network: '192.0.2.0/24', dropped: 1 },
    { ...told, network: '192.0.2.0/24', dropped: 39 },
  ]);
});

test('connections of a trusted proxy are not counted by network', async () => {
  const fresh = await start();
  const limits = createConnectionLimits({ clock: createTestClock(), log: recordingLog().log });
  limits.bound(fresh.listener, 'public', 100, createPeers(['127.0.0.0/8']));
  const connections = await openMany(fresh, 90);
  for (const connection of connections) expect(await usage(fresh, connection)).toBe(200);
  expect(limits.droppedKeyless()).toEqual({ full: 0, network: 0 });
});

test('an address that is not a proxy is counted by its network', async () => {
  const fresh = await start();
  const clock = createTestClock();
  const limits = createConnectionLimits({ clock, log: recordingLog().log });
  limits.bound(fresh.listener, 'public', 100, createPeers(['10.0.0.0/8']));
  await openMany(fresh, 90);
  await clock.advance(1_000);
  expect(limits.droppedKeyless()).toEqual({ full: 0, network: 80 });
});

test.each([
  ['half a head', 'GET /v1/usage HTTP/1.1\r\nhost: gateway.test\r\n'],
  ['nothing', ''],
] as const)(
  'a client that sends %s counts as without a key, and is closed in time',
  async (_, text) => {
    const fresh = await start({ headersTimeout: 400, connectionsCheckingInterval: 20 });
    const { limits } = bound(fresh, 10, networksOf(1_000));
    const slow = await openMany(fresh, 10);
    for (const connection of slow) connection.write(text);
    expect(await usage(fresh, await open(fresh))).toBe(200);
    expect(limits.droppedKeyless().full).toBe(1);
    for (const connection of slow) await connection.ended();
    expect((await slow[9]?.answer())?.status).toBe(408);
    await until(async () => (await connectionsOf(fresh)) === 1);
    // They hold nothing now, so no connection is closed.
    const callers = await openMany(fresh, 9);
    for (const caller of callers) expect(await usage(fresh, caller)).toBe(200);
    expect(limits.droppedKeyless().full).toBe(1);
  },
);

test('a client that has closed its side holds no permit', async () => {
  const fresh = await start();
  const { limits } = bound(fresh, 10, networksOf(1_000));
  for (const _ of many(10)) {
    const received = once(fresh.listener, 'connection');
    const half = await open(fresh);
    const [socket]: Socket[] = await received;
    half.socket.end();
    if (socket?.destroyed === false) await once(socket, 'close');
  }
  const callers = await openMany(fresh, 10);
  for (const caller of callers) expect(await usage(fresh, caller)).toBe(200);
  expect(limits.droppedKeyless().full).toBe(0);
});

test('both counts of drops are metrics', async () => {
  const fresh = await start();
  fresh.service.connections.bound(fresh.listener, 'public', 5, {
    ...{ isProxy: () => false, networkOf: () => undefined },
  });
  await openMany(fresh, 7);
  const page = await fresh.service.monitor.pages['/metrics']?.();
  const shown = page?.text.match(/^model_gateway_\w*connections_dropped_total\{.*$/gm);
  expect(shown).toEqual([
    'model_gateway_connections_dropped_total{listener="public"} 0',
    'model_gateway_connections_dropped_total{listener="admin"} 0',
    'model_gateway_keyless_connections_dropped_total{reason="full"} 2',
    'model_gateway_keyless_connections_dropped_total{reason="network"} 0',
  ]);
});
