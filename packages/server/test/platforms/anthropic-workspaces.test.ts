import assert from 'node:assert/strict';
import { projectIdOf, type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Projects } from '../../src/platforms/billing/projects.ts';
import { createAnthropic } from '../../src/platforms/kinds/anthropic.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { messagesSubject } from './support/anthropic-message.ts';
import { ensuredId } from './support/ensured-id.ts';
import { answering, startScriptedServer } from './support/scripted-server.ts';
import { attemptOn, modelRow, testContext } from './support/try-platform.ts';

let served: ServedSimulator;
let platform: Platform;
let workspaces: Projects;
beforeEach(async () => {
  served = await serveSimulator({ port: 0 });
  platform = open(served.url);
  workspaces = workspacesOf(platform);
});
afterEach(async () => {
  await platform.close();
  await served.close();
});

function open(baseUrl: string): Platform {
  const keys = { apiKey: 'sk-ant-api-key', adminApiKey: 'sk-ant-admin-key' };
  return createAnthropic({ name: 'claude', kind: 'anthropic', baseUrl, ...keys }, testContext);
}

function workspacesOf({ projects }: Platform): Projects {
  assert(projects !== undefined, 'a platform with an admin key has projects');
  return projects;
}

const workspaceId = (name: string) => projectIdOf(name).replace('proj_', 'wrkspc_');

describe('workspaces', () => {
  it('are listed completely, archived ones too', async () => {
    for (let index = 0; index < 150; index++) served.simulator.createProject(`app-${index}`);
    const path = `/v1/organization/projects/${projectIdOf('app-7')}/archive`;
    await fetch(new URL(path, served.url), { method: 'POST' });
    const listed = await workspaces.list();
    expect(listed).toHaveLength(150);
    expect(listed.filter(({ isArchived }) => isArchived)).toEqual([
      { id: workspaceId('app-7'), name: 'app-7', isArchived: true },
    ]);
  });

  it('are created once, and calls are billed to them', async () => {
    const projectId = await ensuredId(workspaces, 'prod-acme-core-search');
    expect(projectId).toBe(workspaceId('prod-acme-core-search'));
    expect(await ensuredId(open(served.url).projects, 'prod-acme-core-search')).toBe(projectId);
    const model = platform.model(modelRow('sim-echo'));
    expect(await attemptOn(platform, { model, projectId })).toMatchObject({ kind: 'answered' });
    expect(served.simulator.bill()).toMatchObject({
      projects: [{ projectId: projectIdOf('prod-acme-core-search'), calls: 1 }],
      missingProjectCalls: 0,
    });
  });

  it('of a name that is too long are not created, and this is reported', async () => {
    const name = `prod-acme-core-${'x'.repeat(40)}`;
    await expect(ensuredId(workspaces, name)).rejects.toThrow(
      `it did not create the project ${name}: status 400`,
    );
  });

  it('are requested with the admin key, and calls are made with the other', async () => {
    const page = '{"data":[],"has_more":false,"first_id":null,"last_id":null}';
    const server = await startScriptedServer(answering(200, page));
    const scripted = open(`${server.url}/v1`);
    await workspacesOf(scripted).list();
    await attemptOn(scripted, { projectId: 'wrkspc_1' });
    const [asked, called] = server.requests.map(({ head }) => head);
    expect(asked).toMatch(/^GET \/v1\/organizations\/workspaces\?limit=100&include_archived=true /);
    expect(asked).toContain('x-api-key: sk-ant-admin-key');
    expect(asked).toContain('anthropic-version: 2023-06-01');
    expect(called).toMatch(/^POST \/v1\/messages /);
    expect(called).toContain('x-api-key: sk-ant-api-key');
    await scripted.close();
    await server.close();
  });
});

it('without an admin key nothing is listed, and no call goes without a workspace', async () => {
  const config = { name: 'claude', kind: 'anthropic', apiKey: 'sk-ant-api-key' } as const;
  const keyless = createAnthropic({ ...config, baseUrl: served.url }, testContext);
  expect(keyless).toMatchObject({ needsProject: true, projects: undefined });
  const model = keyless.model(modelRow('sim-echo'));
  const outcome = await attemptOn(keyless, { model, projectId: undefined });
  expect(outcome).toMatchObject({ kind: 'failed', isOwnFault: true, billed: 'no' });
  expect(served.simulator.bill()).toMatchObject({ total: { calls: 0 }, missingProjectCalls: 0 });
  await keyless.close();
});

it('a key that ignores the workspace of a call makes one such call, and no more', async () => {
  const body = JSON.stringify(messagesSubject.answer({}));
  const headers = { 'anthropic-workspace-id': 'wrkspc_of_the_key' };
  const server = await startScriptedServer(answering(200, body, headers));
  const classic = open(server.url);
  for (const projectId of ['wrkspc_of_the_key', 'wrkspc_2', 'wrkspc_of_the_key', 'wrkspc_3']) {
    expect(await attemptOn(classic, { projectId })).toMatchObject({ kind: 'answered' });
  }
  expect(server.requests).toHaveLength(4);
  expect(await attemptOn(classic, { projectId: 'wrkspc_2' })).toMatchObject({
    kind: 'failed',
    billed: 'no',
    isRetryable: false,
    isOwnFault: true,
    detail: expect.stringContaining('wrkspc_2 was billed to wrkspc_of_the_key'),
  });
  expect(server.requests).toHaveLength(4);
  await classic.close();
  await server.close();
});
