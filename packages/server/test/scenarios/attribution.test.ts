import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import type { CallRecord } from '../../src/books/rows.ts';
import { callIdOf } from '../../src/lib/id.ts';
import { selectAttempts, selectCallRecord } from '../../src/store/queries/ledger.ts';
import { chatOf, prompted } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { storeKinds } from '../support/shared-stack.ts';

const told =
  'platform: sandbox, upstreamModel: sim-told, inputUsdPerMillion: "0.1", outputUsdPerMillion: "0.4"';

function yamlOn(store: string) {
  return `
company: acme
store: "${store}"
streaming: true
ingress: { openai: true, anthropic: true }
trustedProxies: [127.0.0.0/8]
platforms: { sandbox: { kind: simulator }, second: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
models:
  - { id: sim-embed, platform: sandbox, kind: embeddings, inputUsdPerMillion: "0.02" }
  - { id: other, platform: second, upstreamModel: sim-cached, inputUsdPerMillion: "0.1", outputUsdPerMillion: "0.4" }
  - { id: gpt, pathFamily: v1-responses, ${told} }
  - { id: claude, pathFamily: anthropic-v1-messages, ${told} }
  - { id: both, route: [sim-down, other], fallbackOn: [server] }
`;
}

const schema = { type: 'object' };
const tools = [{ name: 'look_up', inputSchema: schema }];
const short = { model: 'sim-echo', max_tokens: 100, ...prompted('Hello!') };

/** Every way to call a model, and some failures. */
const surfaces = [
  ['/v1/chat', chatOf('sim-echo')],
  ['/v1/chat', chatOf('sim-rejects')],
  ['/v1/objects', chatOf('sim-echo', { schema })],
  ['/v1/agents/run', chatOf('sim-echo', { tools })],
  ['/v1/embeddings', { model: 'sim-embed', input: ['Hello!'] }],
  ['/v1/chat/stream', chatOf('sim-echo')],
  ['/v1/chat/stream', chatOf('sim-rejects')],
  ['/openai/v1/chat/completions', short],
  ['/openai/v1/chat/completions', { ...short, stream: true }],
  ['/openai/v1/chat/completions', { ...short, model: 'sim-rejects' }],
  ['/openai/v1/responses', { model: 'gpt', input: 'Hello!', max_output_tokens: 100 }],
  ['/openai/v1/embeddings', { model: 'sim-embed', input: 'Hello!' }],
  ['/anthropic/v1/messages', { ...short, model: 'claude' }],
] as const;

describe.each(storeKinds)('attribution of a call, on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let server: TestServer;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const store = (await postgres?.database()) ?? 'sqlite:./gateway.db';
    server = await startServer({ yaml: yamlOn(store) });
  });
  afterAll(async () => {
    await server.close();
    await postgres?.close();
  });

  async function post(path: string, body: unknown, more: Record<string, string> = {}) {
    const key = await server.key('search');
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...{ 'x-forwarded-for': '203.0.113.9', 'anthropic-version': '2023-06-01', ...more },
      },
      body: JSON.stringify(body),
    });
    const callId = response.headers.get('x-call-id') ?? '';
    const requestId = response.headers.get('x-request-id') ?? '';
    return { status: response.status, callId, requestId, text: await response.text() };
  }

  async function recordOf(callId: string): Promise<CallRecord | undefined> {
    await until(async () => (await server.store.read(selectCallRecord(callId))) !== undefined);
    return server.store.read(selectCallRecord(callId));
  }

  function lineOf(requestId: string) {
    return server.logLines.find(({ fields }) => fields.requestId === requestId)?.fields;
  }

  async function madeBy() {
    const keyId = (await server.key('search')).slice(4, 16);
    return { keyId, remote: '203.0.113.0/24', instanceId: expect.stringMatching(/^instance_/) };
  }

  test.each(surfaces)(
    'is in its record and in the line of its request: %s %#',
    async (...asked) => {
      const [path, body] = asked;
      const { callId, requestId } = await post(path, body);
      expect(callId).toBe(callIdOf(requestId));
      const record = await recordOf(callId);
      expect(record).toMatchObject({ ...(await madeBy()), platform: 'sandbox' });
      expect(record?.heldAtEnd).toBe(record?.held);
      await until(() => lineOf(requestId) !== undefined);
      const { instanceId: instance, ...who } = await madeBy();
      expect(lineOf(requestId)).toMatchObject({ ...who, callId, instance });
      expect(record?.instanceId).toBe(lineOf(requestId)?.instance);
    },
  );

  test('is sent to each platform of a call that fell back to another', async () => {
    const { callId } = await post('/v1/chat', chatOf('both'));
    expect(await recordOf(callId)).toMatchObject({ code: 'OK', platform: 'second' });
    const attempts = await server.store.read(selectAttempts(callId));
    const platforms = attempts.map(({ platform }) => platform);
    expect([platforms[0], platforms.at(-1)]).toEqual(['sandbox', 'second']);
  });

  test('of a retry comes from the call that was made', async () => {
    const key = { 'idempotency-key': `k-${kind}` };
    const first = await post('/v1/chat', chatOf('sim-echo'), key);
    const again = await post('/v1/chat', chatOf('sim-echo'), key);
    expect([again.status, again.callId]).toEqual([200, first.callId]);
    expect(again.callId).not.toBe(callIdOf(again.requestId));
    expect(await server.store.read(selectCallRecord(callIdOf(again.requestId)))).toBeUndefined();
  });
});
