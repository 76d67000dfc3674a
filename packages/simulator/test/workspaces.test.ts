import { expect, test } from 'vitest';
import { projectIdOf } from '../src/index.ts';
import { asking, at, open } from './open.ts';

const root = '/v1/organizations/workspaces';
const idOf = (name: string) => projectIdOf(name).replace('proj_', 'wrkspc_');

test('a workspace is a project under another name', async () => {
  const { send, message, simulator } = open();
  const created = await send('POST', root, { name: 'tutor' });
  const workspace: unknown = await created.json();
  expect(workspace).toEqual({
    id: idOf('tutor'),
    type: 'workspace',
    name: 'tutor',
    created_at: expect.stringMatching(/Z$/),
    archived_at: null,
    display_color: '#6C5BB9',
  });
  expect(await (await send('GET', `${root}/${idOf('tutor')}`)).json()).toEqual(workspace);
  const headers = { 'anthropic-version': '2023-06-01', 'anthropic-workspace-id': idOf('tutor') };
  const answer = await message(asking('sim-echo'), headers);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('anthropic-workspace-id')).toBe(idOf('tutor'));
  expect(simulator.bill().projects).toMatchObject([{ projectId: projectIdOf('tutor'), calls: 1 }]);
});

test('they are listed by pages, without the default and archived ones', async () => {
  const { send } = open();
  for (const name of ['a', 'b', 'c']) await send('POST', root, { name });
  await send('POST', `/v1/organization/projects/${projectIdOf('b')}/archive`);
  const namesOf = async (query: string) => {
    const page: unknown = await (await send('GET', `${root}${query}`)).json();
    const data = at(page, 'data');
    const names = Array.isArray(data) ? data.map((workspace) => at(workspace, 'name')) : data;
    return [names, at(page, 'has_more')];
  };
  expect(await namesOf('')).toEqual([['prod-acme-core-search', 'a', 'c'], false]);
  expect(await namesOf('?limit=2')).toEqual([['prod-acme-core-search', 'a'], true]);
  expect(await namesOf(`?limit=2&after_id=${idOf('a')}&include_archived=true`)).toEqual([
    ['b', 'c'],
    false,
  ]);
});

test.each([
  ['POST', root, { name: 'x'.repeat(41) }, 400, 'invalid_request_error'],
  ['POST', root, {}, 400, 'invalid_request_error'],
  ['GET', `${root}?limit=1001`, undefined, 400, 'invalid_request_error'],
  ['GET', `${root}?after_id=wrkspc_none`, undefined, 400, 'invalid_request_error'],
  ['GET', `${root}/wrkspc_none`, undefined, 404, 'not_found_error'],
])('%s %s %j is %i', async (method, path, body, status, type) => {
  const { send } = open();
  const response = await send(method, path, body);
  expect(response.status).toBe(status);
  expect(at(await response.json(), 'error', 'type')).toBe(type);
});
