import { projectIdOf, type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { workspaceOf } from '../support/anthropic-stack.ts';
import { startServer, type TestServer } from '../support/server.ts';

let platform: ServedSimulator;
let server: TestServer;
let bodies: readonly string[] = [];
beforeAll(async () => {
  platform = await serveSimulator({
    port: 0,
    script({ bodyText }) {
      bodies = [...bodies, bodyText];
      return undefined;
    },
  });
  const row = (id: string, of: string, family?: string) =>
    `  - { id: ${id}, platform: ${of}, upstreamModel: sim-echo, ${family ? `pathFamily: ${family}, ` : ''}${prices} }`;
  server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
streaming: true
ingress: { openai: true, anthropic: true }
platforms:
  openai: { kind: openai, baseUrl: "${platform.url}/v1", apiKey: key-of-the-test }
  claude: { kind: anthropic, baseUrl: "${platform.url}/v1", apiKey: key-of-the-test }
  us: { kind: anthropic, baseUrl: "${platform.url}/v1", apiKey: key-of-the-test, region: us }
  elsewhere: { kind: anthropic, baseUrl: "${platform.url}/v1", apiKey: key-of-the-test, region: none }
  mantle: { kind: simulator, baseUrl: "${platform.url}/v1" }
models:
${row('openai-responses', 'openai', 'v1-responses')}
${row('anthropic', 'claude')}
  - { id: american, platform: us, upstreamModel: sim-echo, ${prices} }
  - { id: unnamed, platform: elsewhere, upstreamModel: sim-echo, ${prices} }
${row('mantle-responses', 'mantle', 'v1-responses')}
${row('mantle-messages', 'mantle', 'anthropic-v1-messages')}
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
  platform.simulator.createProject('prod-acme-core-search');
  const { admin, registry } = server.service;
  const projectId = projectIdOf('prod-acme-core-search');
  await bindProject(admin, { app: 'search', platform: 'openai', projectId });
  for (const name of ['claude', 'us', 'elsewhere']) {
    await bindProject(admin, { app: 'search', platform: name, projectId: workspaceOf('search') });
  }
  await registry.refresh();
});
afterAll(async () => {
  await server.close();
  await platform.close();
});

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "1", maxOutputTokens: 100';
const messages = [{ role: 'user', content: 'Hello' }];
const asks = {
  chat: { path: '/openai/v1/chat/completions', body: { messages } },
  responses: { path: '/openai/v1/responses', body: { input: 'Hello' } },
  messages: { path: '/anthropic/v1/messages', body: { messages, max_tokens: 10 } },
  '/v1': { path: '/v1/chat', body: { messages, maxTokens: 10 } },
};

async function tierOf(route: keyof typeof asks, model: string, more: object) {
  return (await sentFor(route, model, more)).service_tier;
}

/** The body that the platform received. */
async function sentFor(route: keyof typeof asks, model: string, more: object) {
  bodies = [];
  const { path, body } = asks[route];
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    body: JSON.stringify({ ...body, model, ...more }),
    headers: { 'content-type': 'application/json', 'x-api-key': await server.key('search') },
  });
  expect(response.status, await response.text()).toBe(200);
  expect(bodies).toHaveLength(1);
  return JSON.parse(bodies[0] ?? '');
}

const silent = [{}, { service_tier: null }, { service_tier: 'auto' }];

describe.each([false, true])('a call is made in the tier of its price; streamed: %s', (s) => {
  const stream = s ? { stream: true } : {};

  it.each([...silent, { service_tier: 'default' }])('at OpenAI: %j', async (tier) => {
    const more = { ...tier, ...stream };
    expect(await tierOf('responses', 'openai-responses', more)).toBe('default');
    expect(await tierOf('chat', 'openai-responses', more)).toBe('default');
  });

  it.each([...silent, { service_tier: 'standard_only' }])('at Anthropic: %j', async (tier) => {
    const more = { ...tier, ...stream };
    expect(await tierOf('messages', 'anthropic', more)).toBe('standard_only');
  });

  it('at Anthropic, for completions too', async () => {
    expect(await tierOf('chat', 'anthropic', stream)).toBe('standard_only');
  });

  // Without a requested tier the standard tier is sent. Its name differs between models.
  it.each([...silent, { service_tier: 'default' }])(
    'where no tier is requested: %j',
    async (tier) => {
      const more = { ...tier, ...stream };
      expect(await tierOf('responses', 'mantle-responses', more)).toBeUndefined();
      expect(await tierOf('chat', 'mantle-responses', more)).toBeUndefined();
    },
  );

  it('where no tier is requested: messages', async () => {
    const tier = { service_tier: 'standard_only' };
    expect(await tierOf('messages', 'mantle-messages', { ...tier, ...stream })).toBeUndefined();
  });
});

it.each([
  ['openai-responses', 'default'],
  ['anthropic', 'standard_only'],
])('a call on /v1 also sends it: %s', async (model, tier) => {
  expect(await tierOf('/v1', model, {})).toBe(tier);
});

it.each([
  ['anthropic', 'global'],
  ['american', 'us'],
  ['unnamed', undefined],
])('a call sends the region of its price on every route: %s, %s', async (model, region) => {
  for (const route of ['/v1', 'chat', 'messages'] as const) {
    const sent = await sentFor(route, model, {});
    expect(sent.inference_geo, route).toBe(region);
    expect(sent.service_tier).toBe('standard_only');
  }
});
