import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf } from '../support/exchange.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Collector, startCollector } from './support/collector.ts';

let collector: Collector;
let server: TestServer;
beforeAll(async () => {
  collector = await startCollector();
  server = await startServer({
    yaml: `
company: acme
tracing: { otlp: "${collector.url}", sample: 0, keepFailures: true }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
});
afterAll(async () => {
  await server.close();
  await collector.close();
});

test('of a sample of nothing failures are kept complete, and nothing else', async () => {
  const client = await server.client('search');
  const rows = [chatOf('sim-echo'), chatOf('sim-down'), chatOf('sim-echo'), chatOf('sim-rejects')];
  for (const row of rows) await client.chat(row).catch(() => undefined);
  const roots = () => collector.spans.filter(({ name }) => name === 'POST /v1/chat');
  await until(() => roots().length === 2);
  expect(roots().map(({ attributes }) => attributes['error.type'])).toEqual([
    'SERVER',
    'BAD_REQUEST',
  ]);
  for (const { traceId } of roots()) {
    const names = collector.spans.filter((span) => span.traceId === traceId);
    expect(names.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['reserve', 'attempt 1', 'settle', 'POST /v1/chat']),
    );
  }
});
