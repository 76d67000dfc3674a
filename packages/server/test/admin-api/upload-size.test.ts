import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveConsole } from '../../src/admin-api/listener.ts';
import { issueToken } from '../../src/operations/access/tokens.ts';
import { costReport } from '../invoices/read.ts';
import { startServer, type TestServer } from '../support/server.ts';

const mb20 = 20 * 1_048_576;
const yaml = `
company: acme
platforms:
  sandbox: { kind: simulator }
  claude: { kind: anthropic, apiKey: k }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

let server: TestServer;
let token = '';
const front = createServer((incoming, outgoing) => {
  const { console } = server.service;
  if (console === undefined) throw new Error('the configuration has no console');
  serveConsole(console, incoming, outgoing);
});

beforeAll(async () => {
  server = await startServer({ yaml });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const access = { name: 'upload', role: 'finance', apps: undefined, days: 1 } as const;
  const issued = await issueToken(server.service.admin, access);
  token = issued.token;
});
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await server.close();
});

/** Uploads this many bytes: spaces after the invoice fill the rest. */
async function upload(bytes: number) {
  const bodyOf = (text: string) =>
    JSON.stringify({ platform: 'claude', files: [{ name: 'a.json', text }], reason: 'size' });
  const report = costReport();
  const body = bodyOf(report + ' '.repeat(bytes - Buffer.byteLength(bodyOf(report))));
  expect(Buffer.byteLength(body)).toBe(bytes);
  const address = front.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}/admin/v1/reconcile/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, body: Object(await response.json()) };
}

test('an upload of 20 MB is read, and one more byte is rejected', async () => {
  const whole = await upload(mb20);
  expect([whole.status, whole.body.error]).toEqual([200, undefined]);
  expect(whole.body.result).toMatchObject({ lines: 1 });
  const more = await upload(mb20 + 1);
  expect(more).toMatchObject({ status: 413, body: { error: { code: 'TOO_LARGE' } } });
});
