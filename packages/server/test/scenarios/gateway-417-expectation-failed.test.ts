import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatOf } from '../support/exchange.ts';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
});
afterAll(() => server.close());

test('an unsupported expectation is rejected before the body is sent', async () => {
  const body = JSON.stringify(chatOf('sim-echo'));
  const headers = { 'x-api-key': key, 'content-type': 'application/json', expect: 'tea' };
  const answer = await exchangeRaw(server.port, requestText('POST /v1/chat', headers, body));
  expect([answer.status, answer.text]).toEqual([417, '{"message":"Expectation Failed"}']);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-should-retry')).toBeUndefined();
  expect(server.simulator.bill().total.calls).toBe(0);
});
