import { type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, documentOf, openDesk } from './support/desk.ts';

let openAi: ServedSimulator;
let anthropic: ServedSimulator;
let desk: Desk;
beforeEach(async () => {
  openAi = await serveSimulator({ port: 0 });
  anthropic = await serveSimulator({ port: 0 });
  desk = await openDesk({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  direct: { kind: openai, baseUrl: "${openAi.url}/v1", apiKey: key, adminApiKey: admin-key }
  plain: { kind: openai, baseUrl: "${openAi.url}/v1", apiKey: key }
  claude: { kind: anthropic, baseUrl: "${anthropic.url}", apiKey: key, adminApiKey: admin-key }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
  other: { kind: ai-sdk, package: "@acme/not-installed" }
apps:
  - { name: search }
  - { name: tutor, project: "${'a-name-too-long-for-a-workspace-'.repeat(2)}" }
`,
  });
});
afterEach(async () => {
  await desk.close();
  await openAi.close();
  await anthropic.close();
});

test('projects of every kind are planned and made, or left to be bound by hand', async () => {
  const planned = await desk.records(['projects', 'plan']);
  expect(planned.map(({ app, platform, state }) => `${app} ${platform} ${state}`)).toEqual([
    'search direct create',
    'search plain by-hand',
    'search claude create',
    'tutor direct create',
    'tutor plain by-hand',
    'tutor claude create',
  ]);
  const result = await desk.run(['projects', 'apply', '--json', '--config', desk.file]);
  expect(result.code).toBe(1);
  expect(documentOf(result)).toMatchObject([
    { state: 'created', projectId: expect.stringMatching(/^proj_/) },
    { state: 'by-hand', note: expect.stringContaining('projects bind search plain ID') },
    { state: 'created', projectId: expect.stringMatching(/^wrkspc_/) },
    { app: 'tutor', platform: 'direct', state: 'created' },
    { state: 'by-hand' },
    {
      state: 'failed',
      projectId: null,
      note: expect.stringMatching(/status 400; it might not accept/),
    },
  ]);
  expect(result.errors).toEqual([expect.stringMatching(/^failed: tutor on claude\. /)]);
});

test('projects to be bound by hand are bound, and then nothing is left to do', async () => {
  for (const app of ['search', 'tutor']) {
    await desk.json(['projects', 'bind', app, 'plain', `proj_of_${app}`]);
  }
  await desk.json(['projects', 'bind', 'tutor', 'claude', 'wrkspc_tutor']);
  const applied = await desk.records(['projects', 'apply']);
  expect(applied.map(({ state }) => state)).toEqual([
    ...['created', 'bound', 'created', 'created', 'bound', 'bound'],
  ]);
  const note = 'claude does not list this project';
  expect(applied.at(-1)).toMatchObject({ projectId: 'wrkspc_tutor', note });
});
