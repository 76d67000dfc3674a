import { type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformConfig } from '../../src/domain/platform.ts';
import { createOpenAi } from '../../src/platforms/kinds/openai.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { ensuredId } from './support/ensured-id.ts';
import { answering, type ScriptedServer, startScriptedServer } from './support/scripted-server.ts';
import { attemptOn, modelRow, smallRequest, testContext } from './support/try-platform.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function openAiAt(baseUrl: string, more: Partial<PlatformConfig> = {}): Platform {
  const config = { name: 'openai', kind: 'openai', baseUrl, apiKey: 'sk-models' } as const;
  const platform = createOpenAi({ ...config, ...more }, testContext);
  opened.push(platform);
  return platform;
}

const onResponses = { ...modelRow('test-model'), speaks: ['v1-responses'] } as const;
const onChat = { ...modelRow('test-model'), speaks: ['v1-chat'] } as const;

describe('the request', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer(answering(500, '{}'));
    opened.push(server);
  });

  const bodyOf = () => JSON.parse(server.requests[0]?.body ?? '');
  const headOf = () => server.requests[0]?.head.split('\r\n') ?? [];

  it.each([
    [modelRow('test-model'), 'POST /v1/chat/completions HTTP/1.1'],
    [onChat, 'POST /v1/chat/completions HTTP/1.1'],
    [onResponses, 'POST /v1/responses HTTP/1.1'],
  ])('%o goes to its path, with the key and the project', async (row, requestLine) => {
    const platform = openAiAt(`${server.url}/v1`, { adminApiKey: 'sk-admin' });
    await attemptOn(platform, { model: platform.model(row), projectId: 'proj_search' });
    expect(headOf()[0]).toBe(requestLine);
    const lines = headOf().filter((line) => /^(authorization|openai-project):/i.test(line));
    expect(lines).toEqual(['authorization: Bearer sk-models', 'openai-project: proj_search']);
  });

  it('the maximum output tokens have the name that every model of OpenAI accepts', async () => {
    await attemptOn(openAiAt(`${server.url}/v1`));
    expect(bodyOf()).toMatchObject({ max_completion_tokens: smallRequest.maxTokens });
    expect(bodyOf()).not.toHaveProperty('max_tokens');
  });

  it('nothing is sent without a project', async () => {
    const platform = openAiAt(`${server.url}/v1`);
    for (const row of [onChat, onResponses]) {
      const model = platform.model(row);
      expect(await attemptOn(platform, { model, projectId: undefined })).toMatchObject({
        kind: 'failed',
        billed: 'no',
        isOwnFault: true,
      });
    }
    expect(server.accepted()).toBe(0);
  });

  it('an account without money is THROTTLED without a retry', async () => {
    const error = { message: 'You exceeded your quota.', type: 'insufficient_quota', param: null };
    const body = JSON.stringify({ error: { ...error, code: 'insufficient_quota' } });
    const broke = await startScriptedServer(answering(429, body));
    opened.push(broke);
    const platform = openAiAt(`${broke.url}/v1`);
    for (const row of [onChat, onResponses]) {
      const outcome = await attemptOn(platform, { model: platform.model(row) });
      expect(outcome).toMatchObject({ code: 'THROTTLED', billed: 'no', isRetryable: false });
    }
  });

  it('both keys are kept out of the log', async () => {
    const words = 'Incorrect API key provided: adminkey-1 or modelkey-1';
    const refusing = await startScriptedServer(answering(401, words));
    opened.push(refusing);
    const keys = { apiKey: 'modelkey-1', adminApiKey: 'adminkey-1' };
    const outcome = await attemptOn(openAiAt(`${refusing.url}/v1`, keys));
    expect(outcome).toMatchObject({ code: 'AUTH', detail: expect.stringContaining('Incorrect') });
    expect(JSON.stringify(outcome)).not.toMatch(/adminkey|modelkey/);
  });
});

describe('its projects', () => {
  let simulator: ServedSimulator;
  beforeEach(async () => {
    simulator = await serveSimulator({ port: 0 });
    opened.push(simulator);
  });

  it('are made with the admin key, and billed on both surfaces', async () => {
    const platform = openAiAt(`${simulator.url}/v1`, { adminApiKey: 'sk-admin' });
    const projectId = await ensuredId(platform.projects, 'prod-acme-core-search');
    expect(projectId).toMatch(/^proj_/);
    for (const row of [onChat, onResponses]) {
      const model = platform.model({ ...row, upstreamModel: 'sim-echo' });
      const outcome = await attemptOn(platform, { model, projectId });
      expect(outcome).toMatchObject({ kind: 'answered', finish: 'stop' });
    }
    expect(simulator.simulator.bill()).toMatchObject({
      projects: [{ projectId, calls: 2 }],
      missingProjectCalls: 0,
      storedCalls: 0,
    });
  });

  it('cannot be requested without one', () => {
    const platform = openAiAt(`${simulator.url}/v1`);
    expect(platform).toMatchObject({ needsProject: true, projects: undefined });
  });
});

it('caches its models, separately for two surfaces', () => {
  const platform = openAiAt('http://127.0.0.1:1/v1');
  expect(platform.model(onChat)).toBe(platform.model(modelRow('test-model')));
  expect(platform.model(onResponses)).toBe(platform.model(onResponses));
  expect(platform.model(onResponses)).not.toBe(platform.model(onChat));
});
