import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { type OpenAiServer, openAiKey, startOpenAiServer } from '../support/openai-server.ts';
import { startServer, type TestServer } from '../support/server.ts';

let platform: OpenAiServer;
let server: TestServer;
beforeAll(async () => {
  platform = await startOpenAiServer();
  server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
ingress: { openai: true }
platforms:
  openai: { kind: openai, baseUrl: "${platform.baseUrl}", apiKey: ${openAiKey} }
  local: { kind: openai-compatible, baseUrl: "${platform.baseUrl}", apiKey: ${openAiKey} }
models:
  - { id: theirs, platform: openai, upstreamModel: mini, ${prices} }
  - { id: own, platform: local, upstreamModel: mini, ${prices} }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  });
  const { admin, registry } = server.service;
  await bindProject(admin, {
    ...{ app: 'search', platform: 'openai', projectId: 'proj_search' },
  });
  await registry.refresh();
});
afterAll(async () => {
  await server.close();
  await platform.close();
});

const prices = 'inputUsdPerMillion: "1", outputUsdPerMillion: "1", maxOutputTokens: 100';

async function sentFor(path: string, body: object) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
    headers: { 'content-type': 'application/json', 'x-api-key': await server.key('search') },
  });
  expect(response.status, await response.text()).toBe(200);
  return platform.requests.at(-1)?.body;
}

const path = '/openai/v1/chat/completions';

// A project of OpenAI can have its own tier, whose price is not in the catalog.
test.each([{}, { service_tier: null }, { service_tier: 'auto' }, { service_tier: 'default' }])(
  'OpenAI gets the tier of the price: %j',
  async (tier) => {
    const sent = await sentFor(path, { model: 'theirs', ...tier });
    expect(sent).toMatchObject({ service_tier: 'default' });
  },
);

test('no other server gets a tier', async () => {
  const sent = await sentFor(path, { model: 'own', service_tier: 'auto' });
  expect(sent).not.toHaveProperty('service_tier');
});

test('a call on /v1 sends the tier of the price', async () => {
  const sent = await sentFor('/v1/chat', { model: 'theirs', maxTokens: 10 });
  expect(sent).toMatchObject({ service_tier: 'default' });
});
