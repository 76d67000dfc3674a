import { LlmError } from '@model-gateway/sdk';
import { afterEach, expect, test, vi } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { pathFamilies } from '../../src/domain/platform-kinds/kind-facts.ts';
import { modelOn, type OnMantle, startOnMantle } from '../support/mantle.ts';
import { startServer } from '../support/server.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of opened.splice(0)) await one.close();
});

async function open(options: Parameters<typeof startOnMantle>[0]): Promise<OnMantle> {
  const onMantle = await startOnMantle(options);
  opened.push(onMantle);
  return onMantle;
}

const messages = [{ role: 'user', content: 'Hello' }] as const;

/** The result of a chat: its text, or the code of its error. */
async function chat({ server }: Pick<OnMantle, 'server'>, model: string): Promise<string> {
  const client = await server.client('search');
  try {
    return (await client.chat({ model, maxTokens: 100, messages })).text;
  } catch (error) {
    if (LlmError.is(error)) return error.code;
    throw error;
  }
}

test('a mantle that bills by project is verified once on each surface, for free', async () => {
  const { front, simulator } = await open({});
  const posts = front.requests.filter(({ path }) => path !== '/v1/models');
  expect(posts.map(({ path }) => path).toSorted()).toEqual([
    '/anthropic/v1/messages',
    '/openai/v1/chat/completions',
    '/openai/v1/responses',
    '/v1/chat/completions',
    '/v1/responses',
  ]);
  expect(simulator.bill()).toMatchObject({ total: { calls: 0 }, missingProjectCalls: 0 });
});

test('a mantle that responds for an unknown project is not used at all', async () => {
  const completion = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 8, completion_tokens: 1, total_tokens: 9 },
  };
  const onMantle = await open({ fetch: () => Promise.resolve(Response.json(completion)) });
  const asked = onMantle.front.requests.length;
  for (const family of pathFamilies) expect(await chat(onMantle, modelOn(family))).toBe('INTERNAL');
  expect(onMantle.front.requests).toHaveLength(asked);
  expect(await chat(onMantle, 'sim-echo')).toBe('Hello');
});

test('a mantle that is unreachable is not called, and is used once it is back', async () => {
  const onMantle = await open({ isAway: true });
  expect(await chat(onMantle, modelOn('v1-chat'))).toBe('INTERNAL');
  expect(await chat(onMantle, 'sim-echo')).toBe('Hello');
  onMantle.front.isAway = false;
  await until(async () => (await chat(onMantle, modelOn('v1-chat'))) === 'Hello');
});

test('without credentials a service starts, and serves its other models', async () => {
  for (const name of Object.keys(process.env).filter((key) => key.startsWith('AWS_'))) {
    vi.stubEnv(name, undefined);
  }
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent/config');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent/credentials');
  const server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
  bedrock: { kind: bedrock-mantle, region: us-east-1 }
models: [{ id: far-model, platform: bedrock, pathFamily: v1-chat }]
apps: [{ name: search }]
`,
  });
  opened.push(server);
  expect(await chat({ server }, 'sim-echo')).toBe('Hello');
  expect(await chat({ server }, 'far-model')).toBe('INTERNAL');
});
