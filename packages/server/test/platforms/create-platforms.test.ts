import assert from 'node:assert/strict';
import { createSimulator, projectIdOf, serveSimulator } from '@model-gateway/simulator';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlatformConfig } from '../../src/domain/platform.ts';
import { createPlatforms, type PlatformSources } from '../../src/platforms/create-platforms.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';
import { attemptOn, modelRow, testClock } from './support/try-platform.ts';

const opened: Platform[] = [];

afterEach(async () => {
  for (const platform of opened.splice(0)) await platform.close();
});

function onlyPlatform(config: PlatformConfig, rest: Pick<PlatformSources, 'simulator'> = {}) {
  const created = createPlatforms({ configs: [config], clock: testClock, ...rest });
  assert('platforms' in created, 'the platform was not made');
  const platform = created.platforms.get(config.name);
  assert(platform !== undefined, 'the platform has another name');
  opened.push(platform);
  return platform;
}

function problemsOf(...configs: readonly PlatformConfig[]): readonly string[] {
  const created = createPlatforms({ configs, clock: testClock });
  return 'problems' in created ? created.problems : [];
}

const appName = 'prod-acme-core-search';
const projectId = projectIdOf(appName);
const model = (platform: Platform, id: string) => platform.model(modelRow(id));

describe('a simulator', () => {
  it('in this process answers, and bills the app’s project', async () => {
    const simulator = createSimulator({ clock: testClock });
    simulator.createProject(appName);
    const config = { name: 'sandbox', kind: 'simulator' } as const;
    const platform = onlyPlatform(config, { simulator });
    const outcome = await attemptOn(platform, { model: model(platform, 'sim-echo'), projectId });
    expect(outcome).toMatchObject({ kind: 'answered', finish: 'stop' });
    expect(simulator.bill()).toMatchObject({ projects: [{ projectId, calls: 1 }] });
  });

  it.each(['', '/v1'])('at a URL that ends in "%s" answers over the socket', async (path) => {
    const served = await serveSimulator({ port: 0 });
    served.simulator.createProject(appName);
    const config = { name: 'sandbox', kind: 'simulator', baseUrl: served.url + path } as const;
    const platform = onlyPlatform(config);
    const outcome = await attemptOn(platform, { model: model(platform, 'sim-echo'), projectId });
    expect(outcome).toMatchObject({ kind: 'answered', requestId: expect.any(String) });
    await served.close();
  });

  it('is never called without a project', async () => {
    let calls = 0;
    const fetch = () => {
      calls += 1;
      return Promise.resolve(new Response('{}'));
    };
    const simulator = { fetch };
    const platform = onlyPlatform({ name: 'sandbox', kind: 'simulator' }, { simulator });
    expect(platform.needsProject).toBe(true);
    expect(await attemptOn(platform, { projectId: undefined })).toMatchObject({
      kind: 'failed',
      billed: 'no',
      isRetryable: false,
      isOwnFault: true,
    });
    expect(calls).toBe(0);
  });

  it.each([
    ['sim-reset', 'unknown', true],
    ['sim-reset-mid-body', 'unknown', true],
    ['sim-html', 'unknown', false],
    ['sim-half-json', 'unknown', false],
    ['sim-empty-body', 'unknown', false],
    ['sim-redirect', 'no', false],
    ['sim-gateway-timeout', 'unknown', true],
    ['sim-quota', 'no', false],
  ])('that fails with %s means the same in this process and over the socket', async (...row) => {
    const [id, billed, isRetryable] = row;
    const served = await serveSimulator({ port: 0 });
    served.simulator.createProject(appName);
    const { simulator } = served;
    const kind = 'simulator';
    const inProcess = onlyPlatform({ name: 'a', kind }, { simulator });
    const overSocket = onlyPlatform({ name: 'b', kind, baseUrl: served.url });
    for (const platform of [inProcess, overSocket]) {
      const outcome = await attemptOn(platform, { model: model(platform, id), projectId });
      expect(outcome).toMatchObject({ kind: 'failed', billed, isRetryable });
    }
    await served.close();
  });
});

describe('an OpenAI-compatible server', () => {
  it.each([
    ['test-key', ['authorization: Bearer test-key']],
    [undefined, []],
  ])('gets the key %s and no project', async (apiKey, expected) => {
    const server = await startScriptedServer(answering(200, '{}'));
    const config = { name: 'local', kind: 'openai-compatible', baseUrl: server.url } as const;
    const platform = onlyPlatform(apiKey === undefined ? config : { ...config, apiKey });
    expect(platform.needsProject).toBe(false);
    await attemptOn(platform, { projectId: 'proj_unasked' });
    const lines = server.requests[0]?.head.split('\r\n') ?? [];
    expect(lines.filter((line) => /^(authorization|openai-project):/i.test(line))).toEqual(
      expected,
    );
    await server.close();
  });

  it('caches its models', () => {
    const baseUrl = 'http://127.0.0.1:1/v1';
    const platform = onlyPlatform({ name: 'local', kind: 'openai-compatible', baseUrl });
    expect(model(platform, 'a')).toBe(model(platform, 'a'));
    expect(model(platform, 'a')).not.toBe(model(platform, 'b'));
  });
});

describe('an invalid platform', () => {
  it('is reported all at once, and nothing is created', () => {
    const problems = problemsOf(
      { name: 'a', kind: 'simulator' },
      { name: 'b', kind: 'openai-compatible' },
      { name: 'c', kind: 'openai-compatible', baseUrl: 'http://x/v1', apiKey: 'secret\n' },
      { name: 'd', kind: 'openai-compatible', baseUrl: 'http://x/v1' },
      { name: 'e', kind: 'openai', apiKey: 'sk-test', adminApiKey: 'sk admin' },
    );
    expect(problems).toEqual([
      'platforms.a: requires a baseUrl, because no simulator runs in this process',
      'platforms.b: requires a baseUrl, such as http://127.0.0.1:11434/v1',
      expect.stringMatching(/^platforms\.c: apiKey must be printable ASCII/),
      expect.stringMatching(/^platforms\.e: adminApiKey must be printable ASCII/),
    ]);
  });
});
