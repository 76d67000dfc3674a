import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf } from '../support/exchange.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

// A gateway time limit that is long over before the body is due.
const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { gatewayMs: 1500, inFlight: 10 }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer({ yaml });
  key = await server.key('search');
});
afterAll(() => server.close());

const chat = JSON.stringify(chatOf('sim-echo'));

/** The head of a chat, and this part of its body. The rest never arrives. */
async function begin(headers: Readonly<Record<string, string>>, body = '') {
  const own = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  const connection = await openRaw(server.port);
  connection.write(requestText('POST /v1/chat', own) + body);
  return connection;
}

async function statusOf(connection: RawConnection): Promise<number> {
  return (await connection.answer()).status;
}

test.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ['of a stated length', { 'content-length': String(chat.length) }, chat.slice(0, 10)],
  ['of which nothing comes', { 'content-length': String(chat.length) }, ''],
  ['in pieces', { 'transfer-encoding': 'chunked' }, '3\r\n{"a\r\n'],
])('too slow bodies hold their permits no longer than their 504: %s', async (_, headers, body) => {
  const { concurrency } = server.service;
  const slow = await Promise.all(Array.from({ length: 10 }, () => begin(headers, body)));
  expect(await Promise.all(slow.map(statusOf))).toEqual(slow.map(() => 504));
  // Their connections are still open.
  await until(() => concurrency.load().requests === 0);
  expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
  for (const connection of slow) connection.close();
  const good = await begin({ 'content-length': String(chat.length) }, chat);
  expect(await statusOf(good)).toBe(200);
  good.close();
});

test('the rest of a body after its 504 is dropped, and the next request is served', async () => {
  const slow = await begin({ 'content-length': String(chat.length) }, chat.slice(0, 10));
  expect(await statusOf(slow)).toBe(504);
  const headers = { 'x-api-key': key };
  slow.write(chat.slice(10) + requestText('GET /v1/models', headers));
  expect(await statusOf(slow)).toBe(200);
  expect(server.service.concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
  slow.close();
});

test('the permits are in the metrics', async () => {
  const slow = await begin({ 'content-length': '60' });
  await until(() => server.service.concurrency.load().requests === 1);
  const page = await server.service.monitor.pages['/metrics']?.();
  expect(page?.text).toMatch(/^model_gateway_permits 1$/m);
  expect(page?.text).toMatch(/^model_gateway_body_bytes_in_flight 60$/m);
  slow.close();
});
