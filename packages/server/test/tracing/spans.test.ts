import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { findCall } from '../../src/operations/calls/calls.ts';
import { chatOf, prompted } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { exchangeRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { type Collector, startCollector, type WireSpan } from './support/collector.ts';

const yamlOn = (store: string, collector: string, more = '') => `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true }
tracing: { otlp: "${collector}", headers: { authorization: "Bearer c0llect0r" }${more} }
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: poor, dailyBudgetUsd: "0.000001" }
  - { name: rich, dailyBudgetUsd: "1000000" }
models:
  - { id: dear, platform: sandbox, upstreamModel: sim-echo, inputUsdPerMillion: "75000", outputUsdPerMillion: "50000" }
  - { id: gift, platform: sandbox, upstreamModel: sim-echo, inputUsdPerMillion: "0", outputUsdPerMillion: "0" }
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
`;

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const sampled = { traceparent: `00-${traceId}-${parentId}-01` };
const canary = 'Kq7canary';

function byName(spans: readonly WireSpan[], name: string): WireSpan {
  const span = spans.find((span) => span.name === name);
  if (span === undefined) throw new Error(`no span ${name}: ${spans.map((span) => span.name)}`);
  return span;
}

describe.each(storeKinds)('spans, on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let collector: Collector;
  let server: TestServer;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    collector = await startCollector();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    server = await startServer({
      yaml: yamlOn(store, collector.url),
      exporterWaits: { batchMs: 10, exportMs: 5_000, stopMs: 1_000 },
    });
  });
  afterAll(async () => {
    await server.close();
    await collector.close();
    await postgres?.close();
  });

  async function post(
    path: string,
    body: unknown,
    more: Record<string, string> = {},
    app = 'search',
  ) {
    const key = await server.key(app);
    const own = path.startsWith('/v1/') ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
    const headers = { ...own, 'content-type': 'application/json', ...more };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}${path}`, request);
    const text = await response.text();
    const requestId = response.headers.get('x-request-id');
    const isOwn = (span: WireSpan) => span.attributes['model_gateway.request.id'] === requestId;
    await until(() => collector.spans.some(isOwn));
    const root = collector.spans.find(isOwn);
    const spans = collector.spans.filter((span) => span.traceId === root?.traceId);
    return { response, text, root, spans, callId: response.headers.get('x-call-id') ?? '' };
  }

  test('of a call are a tree from caller to platform, and contain its result', async () => {
    const { root, spans, callId } = await post('/v1/chat', chatOf('sim-echo'), sampled);
    expect(root).toMatchObject({
      ...{ name: 'POST /v1/chat', kind: 2, traceId, parentSpanId: parentId, isError: false },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat',
        'url.path': '/v1/chat',
        'url.scheme': 'http',
        'http.response.status_code': 200,
        'model_gateway.app': 'search',
        'model_gateway.call.id': callId,
      },
    });
    const call = await findCall(server.service.admin, callId);
    if (call.state !== 'finished') throw new Error('it has ended');
    const model = byName(spans, 'chat sim-echo');
    expect(model).toMatchObject({
      ...{ kind: 3, parentSpanId: root?.spanId, isError: false },
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'sandbox',
        'gen_ai.request.model': 'sim-echo',
        'gen_ai.request.max_tokens': 100,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': call.usage.inputTokens,
        'gen_ai.usage.output_tokens': call.usage.outputTokens,
        'gen_ai.usage.cost': Number(call.costUsd),
        'model_gateway.cost.usd': call.costUsd,
        'model_gateway.cost.estimated': false,
        'model_gateway.call.id': callId,
      },
    });
    expect(byName(spans, 'attempt 1')).toMatchObject({
      ...{ kind: 3, parentSpanId: model.spanId },
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
      },
    });
    expect(byName(spans, 'reserve')).toMatchObject({ kind: 1, parentSpanId: root?.spanId });
    expect(byName(spans, 'settle').attributes).toEqual({ 'model_gateway.cost.usd': call.costUsd });
    expect(call.traceId).toBe(traceId);
    const line = server.logLines.find(({ fields }) => fields.callId === callId);
    expect(line?.fields.traceId).toBe(traceId);
    for (const span of spans) {
      expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    }
  });

  test.each([
    ['/v1/objects', chatOf('sim-echo', { schema: { type: 'object' } }), 'chat sim-echo'],
    ['/v1/embeddings', { model: 'sim-embed', input: ['Hello!'] }, 'embeddings sim-embed'],
    ['/v1/chat/stream', chatOf('sim-echo'), 'chat sim-echo'],
    [
      '/openai/v1/chat/completions',
      { model: 'sim-echo', max_tokens: 100, ...prompted('Hello!') },
      'chat sim-echo',
    ],
  ])('of %s exist, in a separate trace', async (path, body, name) => {
    const { root, spans } = await post(path, body);
    expect(root).toMatchObject({ name: `POST ${path}` });
    expect(root?.parentSpanId).toBeUndefined();
    expect(spans.map((span) => span.name).toSorted()).toEqual(
      [`POST ${path}`, 'attempt 1', 'reserve', 'settle', name].toSorted(),
    );
  });

  test.each([
    ['GET', '/nowhere', 'GET', { 'http.request.method': 'GET', 'url.path': '/nowhere' }],
    ['PUT', '/v1/chat', 'PUT', { 'http.request.method': 'PUT', 'url.path': '/v1/chat' }],
    [
      'BREW',
      '/v1/chat',
      'HTTP',
      { 'http.request.method': '_OTHER', 'http.request.method_original': 'BREW' },
    ],
  ])('of %s %s, which no route serves, name no route', async (method, path, name, wanted) => {
    const headers = { 'x-api-key': await server.key('search') };
    const answer = await exchangeRaw(server.port, requestText(`${method} ${path}`, headers));
    const requestId = answer.headers.get('x-request-id');
    const isOwn = (span: WireSpan) => span.attributes['model_gateway.request.id'] === requestId;
    await until(() => collector.spans.some(isOwn));
    const root = collector.spans.find(isOwn);
    expect(root).toMatchObject({ name, attributes: { ...wanted, 'url.scheme': 'http' } });
    expect(root?.attributes).not.toHaveProperty(['http.route']);
  });

  test('of a user’s wallet do not name the user', async () => {
    const headers = { 'x-api-key': await server.key('search') };
    const text = requestText(`GET /v1/credits/${canary}`, headers);
    const requestId = (await exchangeRaw(server.port, text)).headers.get('x-request-id');
    const isOwn = (span: WireSpan) => span.attributes['model_gateway.request.id'] === requestId;
    await until(() => collector.spans.some(isOwn));
    expect(collector.spans.find(isOwn)).toMatchObject({
      attributes: { 'http.route': '/v1/credits/:userId', 'url.path': '/v1/credits/REDACTED' },
    });
  });

  test('have a cost of one type, whatever it is', async () => {
    const { spans } = await post(
      '/v1/chat',
      { ...chatOf('dear'), ...prompted('Hello, gateway!') },
      {},
      'rich',
    );
    const model = byName(spans, 'chat sim-echo');
    const cost = model.attributes['gen_ai.usage.cost'];
    const exact = Number(model.attributes['model_gateway.cost.usd']);
    expect(Number.isInteger(exact)).toBe(true);
    expect(cost).not.toBe(exact);
    expect(cost).toBeCloseTo(exact, 9);
    const free = byName((await post('/v1/chat', chatOf('gift'))).spans, 'chat sim-echo');
    expect(free.attributes['model_gateway.cost.usd']).toBe('0');
    expect(free.attributes).not.toHaveProperty(['gen_ai.usage.cost']);
  });

  test('of embeddings have no limit and no end of an output', async () => {
    const { spans } = await post('/v1/embeddings', { model: 'sim-embed', input: ['Hello!'] });
    const { attributes } = byName(spans, 'embeddings sim-embed');
    expect(attributes).toMatchObject({ 'gen_ai.usage.input_tokens': expect.anything() });
    expect(attributes).not.toHaveProperty(['gen_ai.request.max_tokens']);
    expect(attributes).not.toHaveProperty(['gen_ai.response.finish_reasons']);
  });

  test('of a failure contain its code, at the attempt too', async () => {
    const { response, root, spans } = await post('/v1/chat', chatOf('sim-down'));
    expect(response.status).toBe(502);
    expect(root).toMatchObject({ isError: true, attributes: { 'error.type': 'SERVER' } });
    const attempts = spans.filter((span) => span.name.startsWith('attempt'));
    expect(attempts.length).toBeGreaterThan(1);
    expect(attempts.map((span) => span.attributes['http.request.resend_count'])).toEqual(
      attempts.map((_, index) => (index === 0 ? undefined : index)),
    );
    expect(attempts.every((span) => span.isError)).toBe(true);
  });

  test('of a rejection end with the reservation', async () => {
    const { root, spans } = await post('/v1/chat', chatOf('sim-echo'), {}, 'poor');
    expect(root).toMatchObject({ isError: false, attributes: { 'error.type': 'BUDGET_EXCEEDED' } });
    expect(spans.map((span) => span.name).toSorted()).toEqual(['POST /v1/chat', 'reserve']);
  });

  test('of a repeated request have a link to those of the first', async () => {
    const key = { 'idempotency-key': `link-${kind}-0123456789` };
    const first = await post('/v1/chat', chatOf('sim-echo'), key);
    const again = await post('/v1/chat', chatOf('sim-echo'), key);
    expect(again.callId).toBe(first.callId);
    expect(again.root?.attributes['model_gateway.idempotent_replay']).toBe(true);
    const { traceId = '', spanId = '' } = first.root ?? {};
    expect(again.root?.links).toEqual([expect.objectContaining({ traceId, spanId })]);
  });

  test('contain the exporter and the headers of the file, and no content', async () => {
    const request = { model: 'sim-echo', ...prompted(`Say ${canary}.`) };
    await post('/v1/chat', request, sampled);
    await post('/v1/chat/stream', request, sampled);
    await post('/v1/objects', { ...request, schema: { title: canary, type: 'object' } }, sampled);
    expect(collector.text()).not.toContain(canary);
    expect(collector.text()).not.toContain(await server.key('search'));
    expect(
      collector.requestHeaders.every((each) => each.authorization === 'Bearer c0llect0r'),
    ).toBe(true);
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'model-gateway',
      'service.version': '0.0.0-test',
    });
  });

  test.each([
    `00-${traceId}-${parentId}`,
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    'perhaps; drop table call',
  ])('of a caller whose traceparent is "%s" are a separate trace', async (traceparent) => {
    const { response, root, callId } = await post('/v1/chat', chatOf('sim-echo'), { traceparent });
    expect(response.status).toBe(200);
    expect(root?.parentSpanId).toBeUndefined();
    expect(root?.traceId).not.toBe(traceId);
    const own = { traceId: root?.traceId };
    expect(await findCall(server.service.admin, callId)).toMatchObject(own);
  });

  test('of a caller that does not record are not made; its trace is stored', async () => {
    const other = '4bf92f3577b34da6a3ce929d0e0e4736';
    const key = await server.key('search');
    const response = await fetch(`${server.url}/v1/chat`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': key, 'content-type': 'application/json' },
        traceparent: `00-${other}-${parentId}-00`,
      },
      body: JSON.stringify(chatOf('sim-echo')),
    });
    const callId = response.headers.get('x-call-id') ?? '';
    expect(await findCall(server.service.admin, callId)).toMatchObject({ traceId: other });
    // Later sampled spans have arrived: earlier ones would have arrived too.
    await post('/v1/chat', chatOf('sim-echo'));
    expect(collector.spans.filter((span) => span.traceId === other)).toEqual([]);
  });
});
