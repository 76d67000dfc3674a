import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchangeRaw } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { defaultYaml } from '../support/stack.ts';

let server: TestServer;
beforeAll(async () => {
  const yaml = `${defaultYaml}ingress: { openai: true, anthropic: true }\n`;
  server = await startServer({ yaml });
});
afterAll(() => server.close());

const bodies = {
  '/openai/v1/models': { error: { type: 'invalid_request_error', code: 'invalid_api_key' } },
  '/anthropic/v1/models': { type: 'error', error: { type: 'authentication_error' } },
} as const;

describe.each(Object.entries(bodies))('%s', (path, body) => {
  async function ask(lines: readonly string[]) {
    const head = [`GET ${path} HTTP/1.1`, 'host: gateway.test', ...lines];
    return exchangeRaw(server.port, `${head.join('\r\n')}\r\n\r\n`);
  }

  test('accepts one key, on one line', async () => {
    const key = await server.key('search');
    expect((await ask([`Authorization: bearer ${key}`])).status).toBe(200);
    expect((await ask([`x-api-key: ${key}`, `authorization: Bearer ${key}`])).status).toBe(200);
  });

  test.each([
    ['two keys as bearers', (one: string, other: string) => [bearer(one), bearer(other)]],
    ['one key as two bearers', (one: string) => [bearer(one), bearer(one)]],
    ['a bearer beside other words', (one: string) => [bearer(one), 'AUTHORIZATION: Basic eA==']],
    ['a third line', (one: string) => [`x-api-key: ${one}`, bearer(one), bearer(one)]],
    ['keys that differ', (one: string, other: string) => [`x-api-key: ${other}`, bearer(one)]],
    ['no key', () => []],
  ])('rejects %s, in its own format', async (_, linesOf) => {
    const keys = [await server.key('search'), await server.key('tutor')] as const;
    const { status, text } = await ask(linesOf(...keys));
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject(body);
  });
});

function bearer(key: string) {
  return `Authorization: Bearer ${key}`;
}
