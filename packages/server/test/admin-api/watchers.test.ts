import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { serveConsole } from '../../src/admin-api/listener.ts';
import { createConnectionLimits } from '../../src/ingress/http/connection-limits.ts';
import { httpOptions } from '../../src/ingress/http/options.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { createAdminListener } from '../../src/observe/admin-listener.ts';
import { disableToken, issueToken } from '../../src/operations/access/tokens.ts';
import { noonClock } from '../support/noon-clock.ts';
import { exchangeRaw, openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type LogLine, recordingLog } from '../support/stack.ts';
import { createTestClock } from '../support/test-clock.ts';

const connectionsMax = 50;

/** Long timers wait until the test lets their time pass. Short ones use the machine's clock. */
const later: (() => void)[] = [];
let skippedMs = 0;
const clock: Clock = {
  ...noonClock,
  monotonic: () => noonClock.monotonic() + skippedMs,
  after(delayMs, run, options) {
    if (delayMs < 10_000) return noonClock.after(delayMs, run, options);
    later.push(run);
    return { cancel: () => void later.splice(later.indexOf(run), later.includes(run) ? 1 : 0) };
  },
};

function skip15Seconds() {
  skippedMs += 15_000;
  for (const run of later.splice(0)) run();
}

let server: TestServer;
let front: Server;
let lines: readonly LogLine[];
let opened: RawConnection[] = [];

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());
beforeEach(async () => {
  const { console, monitor } = server.service;
  if (console === undefined) throw new Error('the configuration has no console');
  const recorded = recordingLog();
  lines = recorded.lines;
  front = createAdminListener({
    ...{ pages: monitor.pages, log: recorded.log, hosts: [], http: httpOptions },
    other: (incoming, outgoing) => serveConsole(console, incoming, outgoing, limits.protect),
  });
  const connections = createConnectionLimits({ clock: createTestClock(), log: recorded.log });
  const limits = connections.boundOperators(front, connectionsMax);
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(async () => {
    for (const connection of opened) connection.close();
    opened = [];
    front.closeAllConnections();
    front.close();
  });
});

function port(): number {
  const address = front.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function open(text?: string): Promise<RawConnection> {
  const connection = await openRaw(port());
  opened.push(connection);
  if (text !== undefined) connection.write(text);
  return connection;
}

async function newToken() {
  const access = { name: 'wall', role: 'viewer', apps: undefined, days: 1 } as const;
  const { token, id } = await issueToken(server.service.admin, access);
  return { id, headers: { host: '127.0.0.1', authorization: `Bearer ${token}` } };
}

const probe = () => exchangeRaw(port(), requestText('GET /ready', { host: '127.0.0.1' }));
const count = () => new Promise<number>((resolve) => front.getConnections((_e, n) => resolve(n)));

/** Opens a stream of events. Returns its status and the message of a rejection. */
async function openStream(headers: Readonly<Record<string, string>>) {
  const connection = await open(requestText('GET /admin/v1/events', headers));
  const { status, text } = await connection.answer({ hasBody: false });
  return { status, text, connection };
}

describe('the admin listener', () => {
  test('answers probes despite 50 silent sockets, which are closed', async () => {
    for (let one = 0; one < connectionsMax; one++) await open();
    await until(async () => (await count()) === connectionsMax);
    for (let one = 0; one < 20; one++) expect((await probe()).status).toBe(200);
    expect(await count()).toBeLessThanOrEqual(connectionsMax);
    const why = 'connections without a login dropped';
    expect(lines.some(({ message }) => message.startsWith(why))).toBe(true);
  });

  test('allows 4 streams per login and 30 in total, and closes silent sockets first', async () => {
    const logins = await Promise.all(Array.from({ length: 10 }, newToken));
    const streams = [];
    for (const { headers } of logins) {
      for (let one = 0; one < 3; one++) streams.push(await openStream(headers));
    }
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const more = await openStream(logins[0]?.headers ?? {});
    expect(more.status).toBe(429);
    streams[0]?.connection.close();
    const [first, second] = [logins[0]?.headers ?? {}, logins[1]?.headers ?? {}];
    await until(async () => (await openStream(second)).status === 200);
    streams[3]?.connection.close();
    streams[4]?.connection.close();
    expect((await openStream(first)).status).toBe(200);
    for (let one = 0; one < 60; one++) await open();
    expect((await probe()).status).toBe(200);
    for (const { connection } of streams.slice(6)) expect(connection.socket.destroyed).toBe(false);
  });

  test('rejects the fifth stream of a login with a message', async () => {
    const { headers } = await newToken();
    for (let one = 0; one < 4; one++) expect((await openStream(headers)).status).toBe(200);
    const response = await exchangeRaw(port(), requestText('GET /admin/v1/events', headers));
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('60');
    expect(JSON.parse(response.text).error).toEqual({
      code: 'LIMITED',
      message: 'this login has 4 event streams; close one, or poll',
    });
  });

  test('logs rejected streams of a retrying page once a minute', async () => {
    const ofStreams = () =>
      server.logLines.filter(({ fields }) => fields.path === '/admin/v1/events').length;
    const { headers } = await newToken();
    for (let one = 0; one < 4; one++) await openStream(headers);
    for (const minute of [1, 2]) {
      skippedMs += 60_000;
      const before = ofStreams();
      for (let one = 0; one < 5; one++) expect((await openStream(headers)).status).toBe(429);
      expect([minute, ofStreams() - before]).toEqual([minute, 1]);
    }
  });
});

test('a stream of a disabled token ends at its next check', async () => {
  const { id, headers } = await newToken();
  const { connection } = await openStream(headers);
  let text = '';
  connection.socket.on('data', (data) => {
    text += String(data);
  });
  await disableToken(server.service.admin, id);
  skip15Seconds();
  await until(() => text.endsWith('0\r\n\r\n'));
});
