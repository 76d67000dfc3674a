import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
});
afterAll(() => server.close());

describe('431 Request Header Fields Too Large', () => {
  test.each([
    ['one of 20 kB', () => [`x-odd: ${'a'.repeat(20_000)}`]],
    ['many of 20 kB in all', () => Array.from({ length: 200 }, () => `x-odd: ${'a'.repeat(95)}`)],
    ['a path of 20 kB', () => []],
  ] as const)('%s', async (what, lines) => {
    const path = what === 'a path of 20 kB' ? `/${'a'.repeat(20_000)}` : '/v1/usage';
    const head = [`GET ${path} HTTP/1.1`, 'host: a', `x-api-key: ${key}`, ...lines()];
    const answer = await exchangeRaw(server.port, `${head.join('\r\n')}\r\n\r\n`);
    expect([answer.status, answer.text]).toEqual([
      431,
      '{"message":"Request Header Fields Too Large"}',
    ]);
  });

  test('15 kB are accepted', async () => {
    const headers = { 'x-api-key': key, 'x-odd': 'a'.repeat(15_000) };
    const answer = await exchangeRaw(server.port, requestText('GET /v1/usage', headers));
    expect(answer.status).toBe(200);
  });
});
