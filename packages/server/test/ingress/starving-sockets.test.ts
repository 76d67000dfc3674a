import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf } from '../support/exchange.ts';
import { exchangeRaw, openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }, { name: tutor, dailyBudgetUsd: "5" }]
`;
const bodyBytes = 4_194_304;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ yaml });
});
afterAll(() => server.close());

function post(key: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const own = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return requestText('POST /v1/chat', own, body);
}

test('announced bodies that do not arrive leave room for another app, and end', async () => {
  const { concurrency } = server.service;
  const { requestTimeout } = server.listener;
  // A busy machine might take longer than that to open all of them.
  server.listener.requestTimeout = 0;
  const [search, tutor] = [await server.key('search'), await server.key('tutor')];
  const promises = await Promise.all(Array.from({ length: 64 }, () => openRaw(server.port)));
  // As many as would fill everything, if the announced length counted.
  const half = post(search, '', { 'content-length': String(bodyBytes) });
  for (const promise of promises) promise.write(half);
  await until(() => concurrency.load().requests === 64);
  expect(concurrency.load().bodyBytes * 64).toBe(concurrency.bodyBytesMax);
  const chat = post(tutor, JSON.stringify(chatOf('sim-echo')));
  for (let call = 0; call < 10; call++) {
    expect((await exchangeRaw(server.port, chat)).status).toBe(200);
  }
  server.listener.requestTimeout = requestTimeout;
  // Their connections are still open, and hold nothing.
  await until(() => concurrency.load().requests === 0);
  expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
  const answers = await Promise.all(promises.map((promise) => promise.answer()));
  expect(answers.map(({ status }) => status)).toEqual(promises.map(() => 408));
  for (const promise of promises) promise.close();
});

test('a body that arrives slowly in pieces is accepted', async () => {
  const search = await server.key('search');
  const body = JSON.stringify(chatOf('sim-echo')).padEnd(200_000);
  const accepted = once(server.listener, 'connection');
  const connection = await openRaw(server.port);
  const [received]: Socket[] = await accepted;
  connection.write(post(search, '', { 'content-length': String(body.length) }));
  for (let at = 0; at < body.length; at += 50_000) {
    connection.write(body.slice(at, at + 50_000));
    // Each piece arrives separately.
    await until(() => received?.bytesRead === connection.socket.bytesWritten);
  }
  expect((await connection.answer()).status).toBe(200);
  connection.close();
});
