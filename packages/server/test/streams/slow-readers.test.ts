import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { updateApp } from '../../src/admin/apps.ts';
import type { CallRecord } from '../../src/books/rows.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { openHolds } from '../store/support/books.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { amountsOf } from './support/oracle.ts';
import { startUpstream, type Upstream, type UpstreamPlan } from './support/upstream.ts';

const usage = { inputTokens: 20, outputTokens: 2_000 };
/** More than two sockets of the machine take in when nobody reads. */
const large: UpstreamPlan = { delta: 'word '.repeat(200), deltas: 14_000, usage };
const aheadBytes = 65_536;

let server: TestServer;
let upstream: Upstream;
const sockets: Socket[] = [];
/** The service's sides of the sockets. */
const ours = new Set<Socket>();
afterEach(async () => {
  ours.clear();
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  await upstream.close();
});

async function start(plan: UpstreamPlan, streams = '{ stallMs: 60000 }') {
  upstream = await startUpstream(plan);
  server = await startServer({ yaml: yamlOf(upstream.url, streams) });
  server.listener.on('connection', (socket: Socket) => ours.add(socket));
}

const chat = {
  ...{ model: 'big', maxTokens: 100_000, userId: 'ada' },
  messages: [{ role: 'user', content: 'Say much.' }] as const,
};

/** Asks for a stream on a socket that is not read until `resume` is called. */
async function ask(body: object = chat): Promise<Socket> {
  const apiKey = await server.key('search');
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.pause();
  sockets.push(socket);
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  socket.write(requestText('POST /v1/chat/stream', headers, JSON.stringify(body)));
  return socket;
}

/**
 * Waits until each call has written all that anybody takes, which is more than may be ahead, and
 * each caller's socket takes no more of it.
 */
async function heldBack(count: number) {
  let before = -1;
  let still = 0;
  await until(async () => {
    const { calls } = upstream;
    const written = calls.reduce((total, call) => total + call.textBytes, 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const isAhead = calls.length === count && calls.every((call) => call.textBytes > aheadBytes);
    const isFull = [...ours].every(({ writableLength }) => writableLength > 0);
    still = isAhead && isFull && written === before ? still + 1 : 0;
    before = written;
    return still >= 5;
  });
}

async function settledCalls(): Promise<readonly CallRecord[]> {
  await until(async () => (await openHolds(server.store)) === 0);
  return readCalls(server.store, 'search', utcDayOf(server.clock.now()));
}

test('the platform is held back while its caller reads nothing, and goes on with him', async () => {
  await start(large);
  const socket = await ask();
  await heldBack(1);
  const [call] = upstream.calls;
  expect(call?.textBytes).toBeLessThan(large.deltas * large.delta.length);
  let tail = '';
  let words = 0;
  socket.on('data', (bytes) => {
    const text = tail.slice(-200) + bytes.toString();
    tail = text;
    words += bytes.toString().split('event: text').length - 1;
  });
  socket.resume();
  await until(() => tail.includes('event: finish') || tail.endsWith('0\r\n\r\n'));
  expect(words).toBeGreaterThan(0);
  const [record] = await settledCalls();
  expect(record).toMatchObject({ code: 'OK', basis: 'exact' });
});

test('a hundred callers that never read cost a bounded number of bytes each', async () => {
  // More than the caller's side of it takes in, and less than both sides do.
  await start({ ...large, deltas: 5_500, isEndless: true });
  await updateApp(server.service.admin, 'search', { dailyBudgetPicoUsd: parseUsd('5000') });
  await server.service.registry.refresh();
  for (let at = 0; at < 100; at++) await ask();
  await heldBack(100);
  const unsent = [...ours].map((socket) => socket.writableLength);
  expect(unsent).toHaveLength(100);
  // What was on its way when the platform was held back is among it.
  for (const bytes of unsent) expect(bytes).toBeLessThanOrEqual(aheadBytes);
  expect(Math.min(...unsent)).toBeGreaterThan(0);
});

test('after stallMs its caller counts as left: all is read, and both pay exactly', async () => {
  await start(large, '{ stallMs: 1500 }');
  const socket = await ask();
  const [record] = await heldBack(1).then(settledCalls);
  const cost = BigInt(usage.inputTokens) * 150_000n + BigInt(usage.outputTokens) * 600_000n;
  expect(record).toMatchObject({ code: 'ABORTED', basis: 'exact', cost, walletGrant: cost });
  const [call] = upstream.calls;
  expect(call).toMatchObject({ isCut: false, textBytes: large.deltas * large.delta.length });
  // Its socket is gone.
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
});

test('a platform that breaks off while it is held back is paid as one that was left', async () => {
  await start(large);
  const socket = await ask();
  await heldBack(1);
  upstream.calls[0]?.break();
  let bytes = 0;
  socket.on('data', (data) => {
    bytes += data.length;
  });
  socket.resume();
  const [record] = await settledCalls();
  expect(record).toMatchObject({ code: 'SERVER', basis: 'estimated' });
  const amounts = amountsOf(chat);
  expect(record?.cost).toBe(amounts.most);
  // What the socket took is more than nothing, and no more than what the platform had written.
  expect(record?.walletGrant).toBeGreaterThan(amounts.bytes(0));
  expect(record?.walletGrant).toBeLessThanOrEqual(amounts.bytes(upstream.calls[0]?.textBytes ?? 0));
  expect(bytes).toBeGreaterThan(0);
  await expectClean(server);
});

function yamlOf(url: string, streams: string): string {
  return `
company: acme
store: sqlite:./gateway.db
streaming: true
streams: ${streams}
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
platforms:
  up: { kind: openai-compatible, baseUrl: "${url}", apiKey: some-key }
apps:
  - { name: search, dailyBudgetUsd: "500", credits: { monthlyGrant: "100000", usdPerCredit: "0.01" } }
models:
  - { id: big, platform: up, inputUsdPerMillion: "0.15", cacheWriteInputUsdPerMillion: "0.1875", outputUsdPerMillion: "0.6", contextTokens: 2000000, maxOutputTokens: 1000000 }
`;
}
