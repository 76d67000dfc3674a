import { serveSimulator } from '@model-gateway/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runBin } from '../../test/cli/support/bin.ts';
import { type Desk, documentOf, openDesk } from '../../test/cli/support/desk.ts';
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts';
import { type ProjectsPlatform, startProjectsPlatform } from './support/projects-platform.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

let platform: ProjectsPlatform;
beforeEach(async () => {
  platform = await startProjectsPlatform(50);
});
afterEach(() => platform.close());

const names = ['alpha', 'beta', 'gamma', 'delta', 'omega'];
const sorted = names.toSorted();
const projectOf = (app: string) => `prod-acme-core-${app}`;

const yamlOf = (url: string, store = 'sqlite:./gateway.db') => `
company: acme
store: ${store}
platforms: { far: { kind: simulator, baseUrl: "${url}" } }
apps: [${names.map((name) => `{ name: ${name} }`).join(', ')}]
`;

async function withDesk<T>(yaml: string, work: (desk: Desk) => Promise<T>): Promise<T> {
  const desk = await openDesk({ yaml });
  try {
    return await work(desk);
  } finally {
    await desk.close();
  }
}

const stores = [
  ['SQLite', async () => 'sqlite:./gateway.db'],
  ['PostgreSQL', () => postgres.database()],
] as const;

describe.each(stores)('two applies at once on %s', (_name, storeOf) => {
  test('create one project where names need not be unique', async () => {
    await withDesk(yamlOf(platform.url, await storeOf()), async (desk) => {
      const ended = await bothApply(desk);
      expect(platform.projects.map(({ name }) => name)).toEqual(sorted.map(projectOf));
      expect(ended.map((lines) => lines.map(({ projectId }) => projectId))).toEqual([
        ['proj_1', 'proj_2', 'proj_3', 'proj_4', 'proj_5'],
        ['proj_1', 'proj_2', 'proj_3', 'proj_4', 'proj_5'],
      ]);
      const states = ended.flat().map(({ state }) => state);
      expect(states.filter((state) => state === 'created')).toHaveLength(names.length);
      expect(states.filter((state) => state === 'bound')).toHaveLength(names.length);
    });
  });

  test('create one project on the simulator', async () => {
    const served = await serveSimulator({ port: 0 });
    await withDesk(yamlOf(served.url, await storeOf()), async (desk) => {
      const [one = [], other = []] = await bothApply(desk);
      expect(one.map(({ projectId }) => projectId)).toEqual(
        other.map(({ projectId }) => projectId),
      );
      expect(one).toHaveLength(names.length);
    });
    await served.close();
  });
});

/** Two processes, each on its own connections. */
async function bothApply(desk: Desk): Promise<readonly Record<string, unknown>[][]> {
  // The schema and the apps exist before both start, so only the projects are under test.
  await desk.json(['apps', 'list']);
  const commandLine = ['projects', 'apply', '--json', '--config', desk.file];
  const ended = await Promise.all([runBin(commandLine), runBin(commandLine)]);
  return ended.map(({ code, out, errors }) => {
    expect([code, errors]).toEqual([0, '']);
    return JSON.parse(out);
  });
}

describe('a platform that becomes unreachable during an apply', () => {
  test('keeps the completed part, reports the rest, and another apply completes it', async () => {
    await withDesk(yamlOf(platform.url), async (desk) => {
      platform.goAwayAfter(2);
      const result = await desk.run(['projects', 'apply', '--json', '--config', desk.file]);
      expect(result.code).toBe(1);
      const [first, second, third, ...rest] = linesOf(documentOf(result));
      expect([first, second]).toMatchObject([
        { app: 'alpha', state: 'created', projectId: 'proj_1' },
        { app: 'beta', state: 'created', projectId: 'proj_2' },
      ]);
      expect(third).toMatchObject({ app: 'delta', state: 'failed', projectId: null });
      expect(third?.note).toMatch(/^no response \([A-Z_]+\)$/);
      for (const line of rest) {
        expect(line).toMatchObject({
          state: 'failed',
          note: expect.stringMatching(/^not tried after an earlier failure of the platform: /),
        });
      }
      expect(result.errors.join('\n')).toMatch(
        /^failed: delta on far, gamma on far, omega on far\. /,
      );
      const asked = platform.requests();
      expect((await planned(desk)).map(({ state }) => state)).toEqual([
        ...['bound', 'bound', 'unknown', 'unknown', 'unknown'],
      ]);
      expect(platform.requests()).toBe(asked + 1);

      platform.comeBack();
      const again = await desk.records(['projects', 'apply']);
      expect(again.map(({ state }) => state)).toEqual([
        ...['bound', 'bound', 'created', 'created', 'created'],
      ]);
      expect(platform.projects.map(({ name }) => name)).toEqual(sorted.map(projectOf));
    });
  });

  test('binds nothing to a name that two projects share', async () => {
    const project = { name: projectOf('alpha'), status: 'active' };
    await withDesk(yamlOf(platform.url), async (desk) => {
      for (const _time of [1, 2]) {
        const body = JSON.stringify(project);
        await fetch(`${platform.url}/v1/organization/projects`, { method: 'POST', body });
      }
      const result = await desk.run(['projects', 'apply', '--json', '--config', desk.file]);
      expect(result.code).toBe(1);
      const [first, second] = linesOf(documentOf(result));
      expect(first).toMatchObject({
        state: 'ambiguous',
        projectId: null,
        note: 'several projects have this name; bind one with "projects bind": proj_1, proj_2',
      });
      expect(second).toMatchObject({ app: 'beta', state: 'created' });
    });
  });
});

async function planned(desk: Desk) {
  return linesOf(documentOf(await desk.run(['projects', 'plan', '--json', '--config', desk.file])));
}

function linesOf(document: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(document)) throw new Error('the document is no list');
  return document;
}
