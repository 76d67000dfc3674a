import { createSimulator, projectIdOf } from '@model-gateway/simulator';
import { describe, expect, test } from 'vitest';
import {
  type Project,
  ProjectsError,
  projectsByName,
  withEnsure,
} from '../../src/platforms/billing/projects.ts';
import { createProjects } from '../../src/platforms/billing/projects-api.ts';
import { type AppFetch, createAppTransport } from '../../src/platforms/http/app-transport.ts';
import { ensuredId } from './support/ensured-id.ts';
import { testClock } from './support/try-platform.ts';

const path = '/v1/organization/projects';
const baseUrl = 'http://platform.test';

function projectsOf(fetch: AppFetch, takesTags = true) {
  const { send } = createAppTransport({ baseUrl, fetch });
  return createProjects({ send, clock: testClock, path, headers: {}, takesTags });
}

/** A simulator, its projects as the gateway sees them, and all requests. */
function openSimulator() {
  const simulator = createSimulator({ clock: testClock });
  const requests: string[] = [];
  const fetch: AppFetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search} ${await request.clone().text()}`.trim());
    return simulator.fetch(request);
  };
  const archive = (id: string) =>
    simulator.fetch(new Request(`${baseUrl}${path}/${id}/archive`, { method: 'POST' }));
  return { simulator, projects: projectsOf(fetch), requests, archive };
}

describe('the Projects API', () => {
  test('lists every page, archived projects too', async () => {
    const { simulator, projects, archive } = openSimulator();
    for (let index = 0; index < 150; index++) simulator.createProject(`project-${index}`);
    await archive(projectIdOf('project-7'));
    const listed = await projects.list();
    expect(listed).toHaveLength(151);
    expect(listed.filter(({ isArchived }) => isArchived)).toEqual([
      { id: projectIdOf('project-7'), name: 'project-7', isArchived: true, tags: {} },
    ]);
    expect(listed.at(-1)).toMatchObject({ name: 'project-149' });
  });

  test('creates a project with its tags', async () => {
    const { simulator, projects, requests } = openSimulator();
    const created = await projects.create('prod-acme-core-search', { app: 'search' });
    expect(created).toEqual({
      id: projectIdOf('prod-acme-core-search'),
      name: 'prod-acme-core-search',
      isArchived: false,
      tags: { app: 'search' },
    });
    expect(simulator.createProject('prod-acme-core-search').tags).toEqual({ app: 'search' });
    expect(requests).toHaveLength(1);
  });

  test('sends no tags to a platform that does not support them', async () => {
    const bodies: unknown[] = [];
    const projects = projectsOf(async (request) => {
      bodies.push(await request.json());
      return Response.json({ id: 'proj_1', name: 'a', status: 'active' });
    }, false);
    await projects.create('a', { app: 'search' });
    expect(bodies).toEqual([{ name: 'a' }]);
  });

  test('works without archived projects if the parameter is unknown', async () => {
    const asked: string[] = [];
    const projects = projectsOf(async ({ url }) => {
      asked.push(new URL(url).search);
      if (url.includes('include_archived')) return new Response('{}', { status: 400 });
      return Response.json({ data: [{ id: 'proj_1', name: 'a', status: 'active' }] });
    });
    expect(await projects.list()).toEqual([{ id: 'proj_1', name: 'a', isArchived: false }]);
    expect(asked).toEqual(['?limit=100&include_archived=true', '?limit=100']);
  });

  test.each([
    [401, 'it did not list its projects: status 401; its credential is wrong or has expired'],
    [403, 'it did not list its projects: status 403; its credential lacks permission'],
    [500, 'it did not list its projects: status 500'],
    [200, 'it did not list its projects: status 200'],
  ])('explains a status %i in its own sentence', async (status, message) => {
    const secret = { error: { message: 'arn:aws:iam::123456789012:role/secret' } };
    const projects = projectsOf(async () => Response.json(secret, { status }));
    await expect(projects.list()).rejects.toMatchObject({ message, isAway: false });
  });

  test('separates an unreachable platform from a rejection', async () => {
    const projects = projectsOf(() =>
      Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' })),
    );
    await expect(projects.list()).rejects.toMatchObject({
      message: 'no response (ECONNRESET)',
      isAway: true,
    });
  });

  test('ends with a platform whose pages do not', async () => {
    const data = [{ id: 'proj_1', name: 'a', status: 'active' }];
    const projects = projectsOf(async () => Response.json({ data, has_more: true }));
    await expect(projects.list()).rejects.toThrow('it lists more than 10000 projects');
  });
});

describe('the project of a name', () => {
  const active: Project = { id: 'proj_1', name: 'a', isArchived: false };
  const archived: Project = { id: 'proj_2', name: 'a', isArchived: true };
  const other: Project = { id: 'proj_3', name: 'b', isArchived: false };
  test.each([
    ['is missing', [other], { kind: 'missing' }],
    ['is the active one', [other, archived, active], { kind: 'active', project: active }],
    ['is archived', [other, archived], { kind: 'archived', project: archived }],
    [
      'is not clear',
      [active, { ...active, id: 'proj_4' }],
      { kind: 'several', projects: [active, { ...active, id: 'proj_4' }] },
    ],
  ] as const)('%s', (_fact, projects, expected) => {
    expect(projectsByName(projects)('a')).toEqual(expected);
  });
});

describe('ensure', () => {
  test('creates once, and caches the id', async () => {
    const { projects, requests } = openSimulator();
    const id = await ensuredId(projects, 'a');
    expect(id).toMatch(/^proj_/);
    expect(await ensuredId(projects, 'a')).toBe(id);
    expect(requests.map((line) => line.slice(0, 4))).toEqual(['GET ', 'POST']);
  });

  test('finds a project that another process has created', async () => {
    const made: Project[] = [];
    const projects = withEnsure({
      list: async () => [...made],
      async create(name) {
        made.push({ id: 'proj_theirs', name, isArchived: false });
        throw new Error('the answer was lost');
      },
    });
    expect(await ensuredId(projects, 'a')).toBe('proj_theirs');
  });

  test('rejects with the platform’s reason if there is none afterwards', async () => {
    const { projects, archive, simulator } = openSimulator();
    await archive(simulator.createProject('a').id);
    await expect(ensuredId(projects, 'a')).rejects.toThrow(
      /^it did not create the project a: status 409;/,
    );
  });

  test('chooses none of several', async () => {
    const one: Project = { id: 'proj_1', name: 'a', isArchived: false };
    const list = async () => [one, { ...one, id: 'proj_2' }];
    const create = () => Promise.reject(new Error('nothing must be created'));
    await expect(ensuredId(withEnsure({ list, create }), 'a')).rejects.toThrow(/proj_1, proj_2$/);
  });

  test('lists once for many names, and once more where creations failed', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `app-${index}`);
    const wanted = names.map((name) => ({ name }));
    const source = countedSource((name) => name.endsWith('7'));
    const projects = withEnsure(source);
    const ensured = await projects.ensure(wanted);
    expect([source.lists(), source.creates()]).toEqual([2, 300]);
    const failed = names.filter((name) => 'error' in (ensured.get(name) ?? {}));
    expect(failed).toEqual(names.filter((name) => name.endsWith('7')));
    await projects.ensure(wanted.filter(({ name }) => !failed.includes(name)));
    expect(source.lists()).toBe(2);
  });

  test('creates nothing more on an unreachable platform', async () => {
    const source = countedSource(() => true, { isAway: true });
    const ensured = await withEnsure(source).ensure([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(source.creates()).toBe(1);
    expect([...ensured.values()].map((one) => 'error' in one && String(one.error))).toEqual([
      'ProjectsError: no room',
      ...Array(2).fill(
        'ProjectsError: not tried after an earlier failure of the platform: no room',
      ),
    ]);
  });
});

/**
 * A platform without projects that counts its requests, and rejects creations that match
 * `isRefused`.
 */
function countedSource(isRefused: (name: string) => boolean, { isAway = false } = {}) {
  const made: Project[] = [];
  let lists = 0;
  let creates = 0;
  return {
    lists: () => lists,
    creates: () => creates,
    list: async () => {
      lists += 1;
      return [...made];
    },
    async create(name: string) {
      creates += 1;
      if (isRefused(name)) throw new ProjectsError('no room', { isAway });
      const project = { id: `proj_${name}`, name, isArchived: false };
      made.push(project);
      return project;
    },
  };
}
