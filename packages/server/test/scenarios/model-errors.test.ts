import { type Client, LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { audit } from '../../src/store/audit/audit.ts';
import { heldBy, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { type SimulatedPlatform, startSimulatedPlatform } from '../support/simulated-platform.ts';

/** Kinds of platform over a socket: the platform's entry, and the row of each model. */
const kinds = [
  {
    name: 'openai',
    platform: (url: string) => `{ kind: openai, apiKey: sk-test, baseUrl: "${url}/v1" }`,
    row: '',
  },
  {
    name: 'openai on responses',
    platform: (url: string) => `{ kind: openai, apiKey: sk-test, baseUrl: "${url}/v1" }`,
    row: ', pathFamily: v1-responses',
  },
  {
    name: 'anthropic',
    platform: (url: string) => `{ kind: anthropic, apiKey: sk-test, baseUrl: "${url}/anthropic" }`,
    row: '',
  },
  {
    name: 'openai-compatible',
    platform: (url: string) => `{ kind: openai-compatible, baseUrl: "${url}/v1" }`,
    row: '',
  },
  {
    name: 'ai-sdk',
    platform: (url: string) =>
      `{ kind: ai-sdk, package: "@ai-sdk/mistral", options: { apiKey: key-of-mistral }, baseUrl: "${url}/v1" }`,
    row: '',
  },
] as const;

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const;
const tools = [{ name: 'look', inputSchema: { type: 'object' } }] as const;

const chat = (client: Client, model: string) => client.chat(chatOf(model));
const object = (client: Client, model: string) =>
  client.object<unknown>({ ...chatOf(model), schema });
const agent = (client: Client, model: string) => client.agent({ ...chatOf(model), tools });

/** The specification's table of model errors; ABORTED has no response and is below. */
const rows = [
  { model: 'sim-rejects', call: chat, status: 400, code: 'BAD_REQUEST' },
  { model: 'sim-denied', call: object, status: 403, code: 'AUTH' },
  { model: 'sim-unauthorized', call: chat, status: 403, code: 'AUTH' },
  { model: 'sim-missing', call: agent, status: 404, code: 'NOT_FOUND' },
  { model: 'sim-truncated', call: chat, status: 422, code: 'TRUNCATED' },
  { model: 'sim-truncated', call: object, status: 422, code: 'TRUNCATED' },
  { model: 'sim-throttled', call: chat, status: 429, code: 'THROTTLED' },
  { model: 'sim-quota', call: chat, status: 429, code: 'THROTTLED' },
  { model: 'sim-bad-json', call: object, status: 502, code: 'BAD_OUTPUT' },
  { model: 'sim-wrong-shape', call: object, status: 502, code: 'BAD_OUTPUT' },
  { model: 'sim-wrong-tool', call: agent, status: 502, code: 'BAD_OUTPUT' },
  { model: 'sim-down', call: agent, status: 502, code: 'SERVER' },
  { model: 'sim-reset', call: chat, status: 502, code: 'SERVER' },
] as const;

const models = [...new Set(rows.map(({ model }) => model)), 'sim-stuck', 'sim-echo'];

describe.each(kinds)('$name', ({ platform, row }) => {
  const start = (limits: string) =>
    startSimulatedPlatform({
      yaml: (url) => `
company: acme
store: sqlite:./gateway.db
platforms:
  real: ${platform(url)}
retry: { attempts: 2, baseMs: 1, capMs: 2 }
limits: ${limits}
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
${models.map((id) => `  - { id: ${id}, platform: real${row}, inputUsdPerMillion: "0.15", outputUsdPerMillion: "0.60" }`).join('\n')}
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
      bound: ['search'],
    });
  let real: SimulatedPlatform;
  beforeAll(async () => {
    real = await start('{ drainMs: 100 }');
  });
  afterAll(() => real.close());

  test.each(rows)('$model: $status $code', async ({ model, call, status, code }) => {
    const client = await real.server.client('search');
    const error: unknown = await call(client, model).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LlmError);
    expect(error).toMatchObject({ status, code, model });
    expectNothingOfThePlatform(String(error));
    await expectSettled(real);
  });

  test.each([chat, object, agent])('and a response without an error', async (call) => {
    const client = await real.server.client('search');
    expect(await call(client, 'sim-echo')).toMatchObject({ requestId: expect.any(String) });
    await expectSettled(real);
  });

  test('sim-stuck: 499 ABORTED in the ledger, when the caller disconnects', async () => {
    const { server } = real;
    const leaving = new AbortController();
    const gone = fetch(`${server.url}/v1/chat`, {
      method: 'POST',
      headers: { 'x-api-key': await server.key('search'), 'content-type': 'application/json' },
      body: JSON.stringify(chatOf('sim-stuck')),
      signal: leaving.signal,
    }).catch(() => 'gone');
    const isStuck = ({ request }: SimulatedPlatform['seen'][number]) =>
      request.model === 'sim-stuck';
    await until(() => real.seen.some(isStuck));
    leaving.abort();
    expect(await gone).toBe('gone');
    await until(async () => (await lastCall(real))?.code === 'ABORTED');
    await expectSettled(real);
  });

  test('sim-stuck: 504 TIMEOUT, when its time is over', async () => {
    const late = await start('{ modelCallMs: 300, drainMs: 100 }');
    const client = await late.server.client('search');
    const error: unknown = await chat(client, 'sim-stuck').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 504, code: 'TIMEOUT', model: 'sim-stuck' });
    await late.server.service.runner.detached.empty();
    await expectSettled(late);
    await late.close();
  });
});

async function lastCall({ server }: SimulatedPlatform) {
  return (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
}

async function expectSettled({ server }: SimulatedPlatform) {
  expect(await heldBy(server.store, 'search')).toBe(0);
  const report = await audit(server.store, server.clock.now());
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
}

/** The platform's messages name its account and its resources; callers must not see them. */
function expectNothingOfThePlatform(text: string) {
  expect(text).not.toMatch(/111122223333|arn:|sk-test|key-of-mistral/);
}
