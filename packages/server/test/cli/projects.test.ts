import { projectIdOf, type ServedSimulator, serveSimulator } from '@model-gateway/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Desk, documentOf, openDesk } from './support/desk.ts';

let served: ServedSimulator;
let desk: Desk;
beforeEach(async () => {
  served = await serveSimulator({ port: 0 });
  desk = await openDesk({ yaml: yamlOf(served.url) });
});
afterEach(async () => {
  await desk.close();
  await served.close();
});

const yamlOf = (baseUrl: string) => `
company: acme
store: sqlite:./gateway.db
platforms:
  far: { kind: simulator, baseUrl: "${baseUrl}" }
  local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: none }
apps:
  - { name: search }
  - { name: tutor, project: prod-acme-learning, enabled: false }
`;

const path = '/v1/organization/projects';
const search = { app: 'search', platform: 'far', project: 'prod-acme-core-search' };
const tutor = { app: 'tutor', platform: 'far', project: 'prod-acme-learning' };
const searchId = projectIdOf('prod-acme-core-search');
const tutorId = projectIdOf('prod-acme-learning');

/** The platform's projects, without its default project. */
async function projectsOfPlatform(): Promise<readonly unknown[]> {
  const answer: unknown = await (
    await fetch(`${served.url}${path}?include_archived=true&limit=100`)
  ).json();
  const data: unknown = Object(answer).data;
  if (!Array.isArray(data)) throw new Error('the platform lists nothing');
  return data.filter((project) => Object(project).id !== 'default');
}

async function tagsOfPlatform() {
  const projects = await projectsOfPlatform();
  return projects.map((project) => [String(Object(project).id), Object(project).tags] as const);
}

const archive = (id: string) => fetch(`${served.url}${path}/${id}/archive`, { method: 'POST' });

describe('plan', () => {
  test('shows every app on every platform that bills by project, and changes nothing', async () => {
    const planned = [
      { ...search, projectId: null, state: 'create', note: null },
      { ...tutor, projectId: null, state: 'create', note: null },
    ];
    expect(await desk.json(['projects', 'plan'])).toEqual(planned);
    expect(await desk.json(['projects', 'plan'])).toEqual(planned);
    expect(await projectsOfPlatform()).toEqual([]);
  });

  test('shows bound, adoptable and archived projects, and bindings to archived ones', async () => {
    served.simulator.createProject('prod-acme-core-search');
    await archive(served.simulator.createProject('prod-acme-learning').id);
    const note = expect.stringContaining(`${tutorId} has this name but accepts no calls`);
    expect(await desk.json(['projects', 'plan'])).toEqual([
      { ...search, projectId: searchId, state: 'adopt', note: null },
      { ...tutor, projectId: null, state: 'archived', note },
    ]);
    await desk.json(['projects', 'bind', 'search', 'far', searchId]);
    await desk.json(['projects', 'bind', 'tutor', 'far', tutorId]);
    const second = expect.stringContaining('bind another project with "projects bind"');
    expect(await desk.json(['projects', 'plan'])).toEqual([
      { ...search, projectId: searchId, state: 'bound', note: null },
      { ...tutor, projectId: tutorId, state: 'archived', note: second },
    ]);
  });

  test('of an unavailable platform prints the known part, and has exit code 1', async () => {
    await desk.json(['projects', 'bind', 'search', 'far', searchId]);
    await served.close();
    const result = await desk.run(['projects', 'plan', '--json', '--config', desk.file]);
    expect(documentOf(result)).toEqual([
      { ...search, projectId: searchId, state: 'bound', note: expect.stringMatching(/^not ver/) },
      { ...tutor, projectId: null, state: 'unknown', note: expect.stringMatching(/^no response/) },
    ]);
    expect(result).toMatchObject({
      code: 1,
      errors: ['could not read the projects of tutor on far'],
    });
  });
});

describe('apply', () => {
  test('creates missing projects with tags, adopts existing ones, and does it once', async () => {
    served.simulator.createProject('prod-acme-learning');
    expect(await desk.json(['projects', 'apply'])).toEqual([
      { ...search, projectId: searchId, state: 'created', note: null },
      { ...tutor, projectId: tutorId, state: 'adopted', note: null },
    ]);
    const own = { app: 'search', project: 'prod-acme-core-search' };
    expect(await tagsOfPlatform()).toEqual([
      [tutorId, { app: 'tutor', project: 'prod-acme-learning' }],
      [searchId, { 'managed-by': 'model-gateway', company: 'acme', ...own }],
    ]);
    const again = await desk.records(['projects', 'apply']);
    expect(again.map(({ state, projectId }) => [state, projectId])).toEqual([
      ['bound', searchId],
      ['bound', tutorId],
    ]);
    expect(await projectsOfPlatform()).toHaveLength(2);
  });

  test('tags a project that was bound before tags existed, and keeps other tags', async () => {
    const byHand = served.simulator.createProject('by-hand').id;
    const nobodys = served.simulator.createProject('of-nobody').id;
    const body = JSON.stringify({ add_tags: { owner: 'ann', app: 'search-old' } });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${served.url}${path}/${byHand}`, { method: 'POST', headers, body });
    await desk.json(['projects', 'bind', 'search', 'far', byHand]);
    const [line] = await desk.records(['projects', 'apply']);
    expect(line).toMatchObject({ state: 'bound', note: null });
    const tags = Object.fromEntries(await tagsOfPlatform());
    expect(tags[byHand]).toEqual({
      ...{ owner: 'ann', app: 'search', project: 'prod-acme-core-search' },
    });
    expect(tags[nobodys]).toEqual({});
    await desk.json(['projects', 'apply']);
    expect(Object.fromEntries(await tagsOfPlatform())).toEqual(tags);
  });

  test('with --dry-run shows the plan, and creates and binds nothing', async () => {
    const planned = await desk.json(['projects', 'plan']);
    expect(await desk.json(['projects', 'apply', '--dry-run'])).toEqual(planned);
    await desk.json(['projects', 'bind', 'search', 'far', 'proj_by_hand', '--dry-run']);
    expect(await desk.json(['projects', 'plan'])).toEqual(planned);
    expect(await projectsOfPlatform()).toEqual([]);
  });

  test('keeps a project that was bound by hand', async () => {
    await desk.json(['projects', 'bind', 'search', 'far', 'proj_by_hand']);
    const [line] = await desk.records(['projects', 'apply']);
    expect(line).toMatchObject({ ...search, projectId: 'proj_by_hand', state: 'bound' });
  });

  test('does not replace an archived project, does the rest, and has exit code 1', async () => {
    await archive(served.simulator.createProject('prod-acme-core-search').id);
    const result = await desk.run(['projects', 'apply', '--json', '--config', desk.file]);
    expect(documentOf(result)).toEqual([
      { ...search, projectId: null, state: 'archived', note: expect.stringContaining(searchId) },
      { ...tutor, projectId: tutorId, state: 'created', note: null },
    ]);
    expect(result.code).toBe(1);
    expect(result.errors.join('\n')).toMatch(/^failed: search on far\. /);
  });

  test('works on a simulator that lives inside the service', async () => {
    const inside = await openDesk();
    const [line] = await inside.records(['projects', 'apply']);
    expect(line).toMatchObject({ platform: 'sandbox', projectId: searchId, state: 'created' });
    const [planned] = await inside.records(['projects', 'plan']);
    expect(planned).toMatchObject({ projectId: searchId, state: 'bound', note: null });
    await inside.close();
  });

  test('prints the same for people', async () => {
    await archive(served.simulator.createProject('prod-acme-learning').id);
    const { out } = await desk.run(['projects', 'apply', '--config', desk.file]);
    expect(out[1]).toMatch(/^search +far +prod-acme-core-search +created +proj_\w+$/);
    expect(out[2]).toMatch(/^tutor +far +prod-acme-learning +ARCHIVED +-$/);
    expect(out.at(-1)).toMatch(/^tutor +far +proj_\w+ has this name but accepts no calls; /);
  });
});

describe('destroy', () => {
  test('removes the bindings, without a request to a platform, and its projects stay', async () => {
    await desk.json(['projects', 'apply']);
    const projects = await projectsOfPlatform();
    const { simulator } = served;
    await served.close();
    expect(await desk.json(['projects', 'destroy', '--yes'])).toEqual({
      forgotten: [
        { app: 'search', platform: 'far', projectId: searchId },
        { app: 'tutor', platform: 'far', projectId: tutorId },
      ],
    });
    expect(await desk.json(['projects', 'destroy', '--yes'])).toEqual({ forgotten: [] });
    expect(projects).toHaveLength(2);
    for (const name of [search.project, tutor.project]) {
      // A deleted or archived project would be created again, without tags.
      const { status, tags } = simulator.createProject(name);
      expect([status, tags]).toEqual(['active', expect.objectContaining({ company: 'acme' })]);
    }
  });
});
