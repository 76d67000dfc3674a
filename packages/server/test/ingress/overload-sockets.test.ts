import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf } from '../support/exchange.ts';
import { exchangeRaw, openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createTestClock } from '../support/test-clock.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
limits: { inFlight: 3, bodyBytesInFlight: 100000 }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;
const tooMany = '{"message":"Too Many Requests"}';

let server: TestServer;
let key: string;
/** Calls that have reached the platform. */
let asked = 0;
beforeAll(async () => {
  // A response arrives when the test sends it. No time passes for the service, however long the
  // machine takes, so nothing here is late.
  const clock = createTestClock();
  const script = () => {
    asked += 1;
    return { kind: 'silence' } as const;
  };
  server = await startServer({ yaml, script, clock });
  key = await server.key('search');
});
afterAll(() => server.close());

function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const own = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return requestText('POST /v1/chat', own, body);
}

test('without a permit the body is not read, and a disconnect frees a permit', async () => {
  const { concurrency, runner } = server.service;
  const chat = post(JSON.stringify(chatOf('sim-echo')));
  const slow = await Promise.all([1, 2, 3].map(() => openRaw(server.port)));
  for (const connection of slow) connection.write(chat);
  await until(() => concurrency.load().requests === 3);

  const refused = await exchangeRaw(server.port, chat);
  expect([refused.status, refused.text]).toEqual([429, tooMany]);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.has('x-should-retry')).toBe(false);
  // A rejected client can retry on the same connection.
  const patient = await openRaw(server.port);
  for (let request = 0; request < 5; request++) {
    patient.write(chat);
    expect((await patient.answer()).status).toBe(429);
  }
  patient.close();
  const [head = ''] = post('x'.repeat(50_000), { expect: '100-continue' }).split('\r\n\r\n');
  expect((await exchangeRaw(server.port, `${head}\r\n\r\n`)).status).toBe(429);
  expect((await exchangeRaw(server.port, requestText('GET /health', {}))).status).toBe(200);
  const forbidden = requestText('GET /nowhere', { 'x-api-key': 'nobody-knows-this-key' });
  expect((await exchangeRaw(server.port, forbidden)).status).toBe(403);

  // A call is not made if its client disconnects earlier.
  await until(() => asked === 3);
  for (const connection of slow) connection.close();
  await until(() => runner.detached.count() === 3);
  expect(concurrency.load().requests).toBe(3);
  const usage = requestText('GET /v1/usage', { 'x-api-key': key });
  expect((await exchangeRaw(server.port, usage)).status).toBe(200);
  expect(runner.detached.count()).toBe(2);
  runner.detached.cutAll();
  await runner.detached.empty();
  expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
});

test('a body in pieces has the remaining room, and a disconnecting client frees it', async () => {
  const { concurrency } = server.service;
  const sender = await openRaw(server.port);
  sender.write(post('', { 'content-length': '60000' }));
  await until(() => concurrency.load().bodyBytes === 60_000);
  const pieces = await openRaw(server.port);
  pieces.write(post('', { 'transfer-encoding': 'chunked' }));
  pieces.write(`${(30_000).toString(16)}\r\n${'a'.repeat(30_000)}\r\n`);
  await until(() => concurrency.load().bodyBytes === 90_000);
  pieces.write(`${(30_000).toString(16)}\r\n${'a'.repeat(30_000)}\r\n0\r\n\r\n`);
  const answer = await pieces.answer();
  expect([answer.status, answer.text]).toEqual([429, tooMany]);
  await until(() => concurrency.load().bodyBytes === 60_000);
  sender.close();
  await until(() => concurrency.load().requests === 0);
  expect(concurrency.load().bodyBytes).toBe(0);
  pieces.close();
});
