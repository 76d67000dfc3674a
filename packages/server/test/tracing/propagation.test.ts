import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Collector, startCollector } from './support/collector.ts';

let collector: Collector;
let server: TestServer;
const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
const platform = createServer(async (request, response) => {
  requests.push({ path: request.url ?? '', headers: request.headers });
  for await (const _ of request);
  const message = { role: 'assistant', content: 'Hello.' };
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const isFirst = requests.length === 1;
  response.writeHead(isFirst ? 503 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isFirst ? { error: {} } : { id: 'x', choices, usage }));
});

beforeAll(async () => {
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const url = `http://127.0.0.1:${portOf(platform.address())}`;
  collector = await startCollector();
  const price = 'inputUsdPerMillion: 1, outputUsdPerMillion: 1';
  server = await startServer({
    yaml: `
company: acme
tracing: { otlp: "${collector.url}" }
platforms:
  told: { kind: openai-compatible, baseUrl: "${url}/told", apiKey: none, propagateTrace: true }
  untold: { kind: openai-compatible, baseUrl: "${url}/untold", apiKey: none }
models:
  - { id: a, platform: told, ${price} }
  - { id: b, platform: untold, ${price} }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
});
afterAll(async () => {
  await server.close();
  await collector.close();
  platform.closeAllConnections();
  platform.close();
});

function portOf(address: ReturnType<typeof platform.address>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const traceId = '0af7651916cd43dd8448eb211c80319c';

async function chat(model: string, flags = '01') {
  const from = requests.length;
  const response = await fetch(`${server.url}/v1/chat`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
      ...{ traceparent: `00-${traceId}-b7ad6b7169203331-${flags}`, tracestate: 'acme=1' },
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], maxTokens: 10 }),
  });
  expect(response.status).toBe(200);
  await response.text();
  return requests.slice(from);
}

test('a platform that is configured for it gets each attempt’s own span', async () => {
  const sent = await chat('a');
  expect(sent).toHaveLength(2);
  const attempts = () => collector.spans.filter(({ name }) => name.startsWith('attempt'));
  await until(() => attempts().length === 2);
  expect(sent.map(({ headers }) => headers.traceparent)).toEqual(
    attempts().map(({ spanId }) => `00-${traceId}-${spanId}-01`),
  );
  expect(sent.map(({ headers }) => headers.tracestate)).toEqual(['acme=1', 'acme=1']);
  expect(attempts()[0]?.attributes).toMatchObject({
    ...{ 'http.request.method': 'POST', 'http.response.status_code': 503 },
    ...{ 'server.address': '127.0.0.1', 'server.port': portOf(platform.address()) },
  });
  const model = collector.spans.find(({ name }) => name === 'chat a');
  expect(model?.attributes).toMatchObject({
    ...{ 'gen_ai.provider.name': 'told', 'server.address': '127.0.0.1' },
    'server.port': portOf(platform.address()),
  });
});

test('an unrecorded trace is forwarded unchanged', async () => {
  const [sent] = await chat('a', '00');
  expect(sent?.headers.traceparent).toBe(`00-${traceId}-b7ad6b7169203331-00`);
});

test('another platform gets no trace', async () => {
  const [sent] = await chat('b');
  expect(sent?.path).toBe('/untold/chat/completions');
  expect(sent?.headers.traceparent).toBeUndefined();
  expect(sent?.headers.tracestate).toBeUndefined();
});

test('several lines of tracestate are one list, and a random id stays one', async () => {
  const headers = {
    ...{ 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
    traceparent: `cc-${traceId}-b7ad6b7169203331-03-more`,
  };
  const body = JSON.stringify({
    ...{ model: 'a', maxTokens: 10 },
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const [line, ...rest] = requestText('POST /v1/chat', headers, body).split('\r\n');
  const lines = [line, 'tracestate: acme=1', 'tracestate: other=2\t,third=3', ...rest];
  const from = requests.length;
  expect((await exchangeRaw(server.port, lines.join('\r\n'))).status).toBe(200);
  expect(requests[from]?.headers).toMatchObject({
    traceparent: expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-03$`),
    tracestate: 'acme=1, other=2\t,third=3',
  });
});
