import { describe, expect, test } from 'vitest';
import { projectIdOf } from '../src/index.ts';
import { answerOf, asking, at, open } from './open.ts';

const root = '/v1/organization/projects';

test('a project id follows from the name, the same for every process', () => {
  expect(projectIdOf('prod-acme-core-search')).toBe('proj_b6aac2b18a0cb849a8e1');
  expect(projectIdOf('prod-acme-core-tutor')).toMatch(/^proj_[A-Za-z0-9]{20}$/);
});

test('createProject returns the existing project', () => {
  const { simulator, projectId } = open();
  const project = simulator.createProject('prod-acme-core-search');
  expect(project).toBe(simulator.createProject('prod-acme-core-search'));
  expect(project.id).toBe(projectId);
  expect(() => simulator.createProject('../etc')).toThrow('Invalid project name');
});

describe('the payer', () => {
  test('the project in the header, on both paths', async () => {
    const { chat, simulator } = open();
    const other = simulator.createProject('prod-acme-core-tutor').id;
    const path = '/openai/v1/chat/completions';
    const response = await chat(asking('sim-echo'), { projectId: other, path });
    expect(response.headers.get('openai-project')).toBe(other);
    await chat(asking('sim-echo'));
    const { projects, missingProjectCalls } = simulator.bill();
    expect(projects.map(({ projectId, calls }) => [projectId, calls])).toEqual([
      [other, 1],
      [projectIdOf('prod-acme-core-search'), 1],
    ]);
    expect(missingProjectCalls).toBe(0);
  });

  test('is the default project without a header, and that is reported', async () => {
    const { chat, simulator } = open();
    await chat(asking('sim-echo'), { projectId: undefined });
    await chat(asking('sim-down'), { projectId: undefined });
    expect(simulator.bill()).toMatchObject({
      projects: [{ projectId: 'default', calls: 1 }],
      missingProjectCalls: 2,
    });
  });

  test('is nobody for an unknown project: 404 with its ARN', async () => {
    const { chat, simulator } = open();
    const projectId = projectIdOf('prod-acme-core-nobody');
    const answer = await answerOf(await chat(asking('sim-echo'), { projectId }));
    expect(answer).toMatchObject({ status: 404, errorCode: 'not_found_error' });
    expect(answer.errorMessage).toBe(
      `Project 'arn:aws:bedrock-mantle:us-east-1:111122223333:project/${projectId}' was not found.`,
    );
    expect(simulator.bill()).toMatchObject({ total: { calls: 0 }, missingProjectCalls: 0 });
  });

  test('is nobody for an archived project', async () => {
    const { chat, send, projectId } = open();
    await send('POST', `${root}/${projectId}/archive`);
    const answer = await answerOf(await chat(asking('sim-echo')));
    expect(answer).toMatchObject({ status: 400, errorCode: 'validation_error' });
  });
});

describe('the Projects API', () => {
  test('creates a project that pays at once', async () => {
    const { send, chat } = open();
    const name = 'prod-acme-core-tutor';
    const { status, body } = await answerOf(await send('POST', root, { name, tags: { k: 'v' } }));
    expect(status).toBe(200);
    expect(body).toEqual({
      id: projectIdOf(name),
      arn: `arn:aws:bedrock-mantle:us-east-1:111122223333:project/${projectIdOf(name)}`,
      name,
      object: 'organization.project',
      status: 'active',
      created_at: Date.UTC(2026, 10, 21) / 1_000,
      archived_at: null,
      tags: { k: 'v' },
      data_retention: { mode: 'inherit' },
    });
    expect((await chat(asking('sim-echo'), { projectId: projectIdOf(name) })).status).toBe(200);
    expect((await answerOf(await send('GET', `${root}/${projectIdOf(name)}`))).body).toEqual(body);
  });

  test('rejects an existing name, archived or not', async () => {
    const { send, projectId } = open();
    const name = 'prod-acme-core-search';
    for (const step of ['active', 'archived']) {
      const answer = await answerOf(await send('POST', root, { name }));
      expect(answer, step).toMatchObject({ status: 409, errorCode: 'conflict' });
      await send('POST', `${root}/${projectId}/archive`);
    }
  });

  test('updates names and tags', async () => {
    const { send, projectId } = open();
    const change = (body: unknown) => send('POST', `${root}/${projectId}`, body);
    await change({ add_tags: { one: '1', two: '2' } });
    await change({ remove_tag_keys: ['one'] });
    await change({ name: 'renamed' });
    const { body } = await answerOf(await change({ data_retention: { mode: 'none' } }));
    expect(body).toMatchObject({
      id: projectId,
      name: 'renamed',
      tags: { two: '2' },
      data_retention: { mode: 'none' },
    });
    // The renamed project still has the first name's id.
    const again = await send('POST', root, { name: 'prod-acme-core-search' });
    expect(again.status).toBe(409);
  });

  test('archives permanently', async () => {
    const { send, projectId, clock } = open();
    const archive = () => send('POST', `${root}/${projectId}/archive`);
    const { body } = await answerOf(await archive());
    const archivedAt = clock.now() / 1_000;
    expect(body).toMatchObject({ status: 'archived', archived_at: archivedAt });
    await clock.advance(5_000);
    expect((await answerOf(await archive())).body).toMatchObject({ archived_at: archivedAt });
    const { body: active } = await answerOf(await send('GET', root));
    expect(at(active, 'data')).toMatchObject([{ id: 'default' }]);
    const { body: all } = await answerOf(await send('GET', `${root}?include_archived=true`));
    expect(at(all, 'data')).toMatchObject([{ id: 'default' }, { id: projectId }]);
  });

  test('lists page by page, the default project first', async () => {
    const { send, simulator } = open();
    for (let count = 0; count < 5; count++) simulator.createProject(`project-${count}`);
    const ids: unknown[] = [];
    const more: unknown[] = [];
    for (let after = ''; more.at(-1) !== false && more.length < 9; ) {
      const { body } = await answerOf(await send('GET', `${root}?limit=3${after}`));
      const data = at(body, 'data');
      if (Array.isArray(data)) ids.push(...data.map(({ id }) => id));
      more.push(at(body, 'has_more'));
      after = `&after=${at(body, 'last_id')}`;
    }
    expect(more).toEqual([true, true, false]);
    expect(ids[0]).toBe('default');
    expect(new Set(ids).size).toBe(7);
  });

  const refusals = [
    { method: 'POST', path: root, body: {}, status: 400 },
    { method: 'POST', path: root, body: { name: '' }, status: 400 },
    { method: 'POST', path: root, body: { name: 'a/b' }, status: 400 },
    { method: 'POST', path: root, body: { name: 'a', tags: { k: 1 } }, status: 400 },
    { method: 'POST', path: root, body: undefined, status: 400 },
    { method: 'GET', path: `${root}?limit=0`, body: undefined, status: 400 },
    { method: 'GET', path: `${root}?after=nobody`, body: undefined, status: 400 },
    { method: 'GET', path: `${root}/proj_nobody`, body: undefined, status: 404 },
    { method: 'POST', path: `${root}/proj_nobody`, body: { name: 'a' }, status: 404 },
    { method: 'POST', path: `${root}/proj_nobody/archive`, body: {}, status: 404 },
    { method: 'POST', path: `${root}/default/archive`, body: {}, status: 400 },
    { method: 'DELETE', path: `${root}/default`, body: undefined, status: 404 },
    { method: 'GET', path: `/openai${root}`, body: undefined, status: 404 },
  ] as const;
  test.each(refusals)('$method $path $body is $status', async ({ method, path, body, status }) => {
    const response = await open().send(method, path, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });
});
