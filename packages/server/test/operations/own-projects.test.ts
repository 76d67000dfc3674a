import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/compose/open-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { applyFile, declareMissing } from '../../src/operations/config/declared-apps.ts';
import { AdminError } from '../../src/operations/context/admin-error.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { bindProject, bindSimulatorProjects } from '../../src/operations/projects/bindings.ts';
import { applyProjects } from '../../src/operations/projects/project-apply.ts';
import { type Project, withEnsure } from '../../src/platforms/billing/projects.ts';
import type { Platform } from '../../src/platforms/model/port.ts';
import { openRegistry } from '../../src/registry/registry.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectApps, selectBindings } from '../../src/store/queries/registry.ts';
import { text } from '../../src/store/schema/columns.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** One store, opened twice: two concurrent operators. */
async function twoOnSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-projects-'));
  const target = { kind: 'sqlite', path: join(folder, 'gateway.db') } as const;
  const onDeath = (error: Error) => {
    throw error;
  };
  const open = () => openStore({ target, log: silentLog, onDeath });
  const stores = [await open(), await open()] as const;
  return { stores, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function twoOnPostgres() {
  const url = await server.database();
  const stores = [await openReplica(url), await openReplica(url)] as const;
  return { stores, remove: async () => undefined };
}

describe.each([
  ['SQLite', twoOnSqlite],
  ['PostgreSQL', twoOnPostgres],
])('on %s', (_name, open) => {
  let store: Store;
  let other: AdminContext;
  let admin: AdminContext;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const { stores, remove } = await open();
    [store] = stores;
    admin = adminOn(store);
    other = adminOn(stores[1]);
    close = async () => {
      await Promise.all(stores.map((one) => one.close()));
      await remove();
    };
    await createApp(admin, 'search', {});
    await createApp(admin, 'tutor', {});
  });
  afterEach(() => close());

  const bind = (app: string, projectId: string, as = admin, platform = 'hosted') =>
    bindProject(as, { app, platform, projectId });
  const bindings = async () =>
    (await store.read(selectBindings)).map((row) => `${row.app} ${row.platform} ${row.projectId}`);
  const projects = async () =>
    (await store.read(selectApps('acme'))).map(({ name, project }) => `${name} ${project}`);
  const lines = () =>
    store.read({
      sql: 'select action, subject from audit_log order by id',
      values: [],
      map: (rows) => rows.map((row) => `${text(row, 'action')} ${text(row, 'subject')}`),
    });
  /** Rows that an older store may contain. */
  const share = (app: string, projectId: string, platform = 'hosted') =>
    store.write([
      {
        sql: 'insert into project_binding (app, platform, project_id) values ($1, $2, $3)',
        values: [app, platform, projectId],
      },
      { sql: 'update revision set value = value + 1', values: [] },
    ]);

  describe('a project is bound', () => {
    test('unless another app has it, on whichever platform', async () => {
      await bind('search', 'proj_1');
      const before = await lines();
      const taken =
        /^proj_1 is already the project of the app search; each app needs its own project/;
      await expect(bind('tutor', 'proj_1')).rejects.toThrow(taken);
      await expect(bind('tutor', 'proj_1', admin, 'elsewhere')).rejects.toThrow(taken);
      expect(await bindings()).toEqual(['search hosted proj_1']);
      expect(await lines()).toEqual(before);
      await bind('search', 'proj_1', admin, 'elsewhere');
      await bind('search', 'proj_2');
      await expect(bind('tutor', 'proj_1')).rejects.toThrow(taken);
      await bind('tutor', 'proj_3');
    });

    test.each(['default', 'DEFAULT', ' Default ', '\tdefault'])('unless it is %j', async (id) => {
      await expect(bind('search', id)).rejects.toThrow(/is the default project of calls without/);
      expect(await bindings()).toEqual([]);
    });

    test('to one of two apps, with two concurrent operators', async () => {
      for (let round = 0; round < 20; round++) {
        const id = `proj_${round}`;
        const both = await Promise.allSettled([bind('search', id), bind('tutor', id, other)]);
        expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        const refused = both.find((one) => one.status === 'rejected');
        expect(refused?.reason).toBeInstanceOf(AdminError);
        expect((await bindings()).filter((line) => line.endsWith(` ${id}`))).toHaveLength(1);
      }
    });
  });

  describe('an app is registered', () => {
    test('unless its project has another app’s name, in either direction', async () => {
      await createApp(admin, 'a', { project: 'prod-acme-core-b' });
      await expect(createApp(admin, 'b', {})).rejects.toThrow(
        /^prod-acme-core-b is already the project of the app a/,
      );
      await expect(createApp(admin, 'c', { project: ' prod-acme-core-search' })).rejects.toThrow(
        /is already the project of the app search/,
      );
      await expect(updateApp(admin, 'tutor', { project: 'prod-acme-core-b' })).rejects.toThrow(
        /is already the project of the app a/,
      );
      await expect(createApp(admin, 'd', { project: 'Default' })).rejects.toThrow(
        /is the default project/,
      );
      await expect(updateApp(admin, 'tutor', { project: 'default' })).rejects.toThrow(
        /is the default project/,
      );
      expect(await projects()).toEqual([
        ...['a prod-acme-core-b', 'search prod-acme-core-search', 'tutor prod-acme-core-tutor'],
      ]);
    });

    test('with a name that one of two gets, with two concurrent operators', async () => {
      for (let round = 0; round < 20; round++) {
        const project = `prod-${round}`;
        const both = await Promise.allSettled([
          createApp(admin, `a${round}`, { project }),
          createApp(other, `b${round}`, { project }),
        ]);
        expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect((await projects()).filter((line) => line.endsWith(` ${project}`))).toHaveLength(1);
      }
    });

    test('and changed in all but its name, though an older store shares it', async () => {
      await store.write([
        {
          sql: "update app set project = 'prod-acme-core-search' where name = 'tutor'",
          values: [],
        },
      ]);
      const row = await updateApp(admin, 'tutor', { enabled: false });
      expect(row).toMatchObject({ enabled: false, project: 'prod-acme-core-search' });
    });
  });

  describe('the configuration file is applied', () => {
    test('unless an app of the command line has the project: then no part of it is', async () => {
      const declared = [{ name: 'first' }, { name: 'second', project: 'prod-acme-core-tutor' }];
      await expect(applyFile(admin, declared)).rejects.toThrow(
        /^app second: prod-acme-core-tutor is already the project of the app tutor/,
      );
      expect((await projects()).map((line) => line.split(' ')[0])).toEqual(['search', 'tutor']);
      expect(await declareMissing(admin, declared)).toEqual([
        expect.stringMatching(
          /^app second: prod-acme-core-tutor is already the project of the app tutor/,
        ),
      ]);
      expect((await projects()).map((line) => line.split(' ')[0])).toEqual([
        ...['first', 'search', 'tutor'],
      ]);
    });

    test('by two concurrent services, to the same end', async () => {
      const declared = Array.from({ length: 20 }, (_, index) => ({ name: `app-${index}` }));
      await Promise.all([applyFile(admin, declared), applyFile(other, declared)]);
      expect(await projects()).toHaveLength(22);
      expect((await lines()).filter((line) => line.startsWith('app.create app-'))).toHaveLength(20);
    });

    test('when two apps of it swap their names', async () => {
      await applyFile(admin, [
        { name: 'one', project: 'x' },
        { name: 'two', project: 'y' },
      ]);
      await applyFile(admin, [
        { name: 'one', project: 'y' },
        { name: 'two', project: 'x' },
      ]);
      expect((await projects()).slice(0, 1)).toEqual(['one y']);
      const taken = applyFile(admin, [
        { name: 'one', project: 'x' },
        { name: 'two', project: 'x ' },
      ]);
      await expect(taken).rejects.toThrow(/is already the project of the app/);
    });
  });

  test('a store that shares a project opens, logs it once, and names it in the plan', async () => {
    for (const app of ['search', 'tutor']) await share(app, 'proj_1');
    await share('search', 'Default', 'elsewhere');
    await share('tutor', 'proj_2', 'elsewhere');
    const errors: string[] = [];
    const log: Log = { ...silentLog, error: (_fields, message) => void errors.push(message) };
    const registry = await openRegistry({
      ...{ store, clock: systemClock, log, company: 'acme', beforeChange: async () => undefined },
    });
    expect(errors).toEqual([
      expect.stringMatching(
        /^app search is bound to Default on elsewhere, which is the platform's default/,
      ),
      expect.stringMatching(
        /^app search is bound to proj_1 on hosted, .* also the project of tutor; /,
      ),
      expect.stringMatching(
        /^app tutor is bound to proj_1 on hosted, .* also the project of search; /,
      ),
    ]);
    expect(registry.app('search')?.projectIds).toEqual(new Map());
    expect(registry.app('tutor')?.projectIds).toEqual(new Map([['elsewhere', 'proj_2']]));
    const plan = await applyProjects(admin, [hosted([])]);
    expect(plan.map(({ state }) => state)).toEqual(['shared', 'shared']);

    await expect(bind('search', 'proj_1')).rejects.toThrow(/already the project of the app tutor/);
    await bind('tutor', 'proj_3');
    await registry.refresh();
    expect(registry.app('search')?.projectIds).toEqual(new Map([['hosted', 'proj_1']]));
    expect(registry.app('tutor')?.sharedProjects).toEqual(new Map());
    expect(errors).toHaveLength(3);
    await registry.stop();
  });

  test('an existing project of the platform is adopted by only one app', async () => {
    await bind('tutor', 'proj_1');
    const existing = hosted([{ id: 'proj_1', name: 'prod-acme-core-search', isArchived: false }]);
    const [line] = await applyProjects(admin, [existing]);
    expect(line).toMatchObject({
      ...{ app: 'search', state: 'shared' },
      note: expect.stringMatching(/^this is the project of tutor too; /),
    });
    expect(await bindings()).toEqual(['tutor hosted proj_1']);
  });

  test('simulators bind no two apps to one project, whatever their names', async () => {
    await store.write([
      { sql: "update app set project = 'prod-acme-core-search' where name = 'tutor'", values: [] },
    ]);
    const errors: string[] = [];
    const log: Log = { ...silentLog, error: (_fields, message) => void errors.push(message) };
    await createApp(admin, 'third', {});
    const simulator = { ...hosted([]), kind: 'simulator', name: 'sandbox' } as const;
    await bindSimulatorProjects(admin, [simulator], log);
    expect((await bindings()).map((line) => line.split(' ')[0])).toEqual(['third']);
    expect(errors).toEqual(Array(2).fill('apps share one project name; give each app its own'));
  });
});

function hosted(projects: readonly Project[]): Platform {
  const source = {
    list: async () => projects,
    create: async (name: string) => ({ id: `proj_of_${name}`, name, isArchived: false }),
  };
  return {
    ...{ name: 'hosted', kind: 'openai', needsProject: true, projects: withEnsure(source) },
    model: () => {
      throw new Error('no model is asked for');
    },
    close: async () => {},
  };
}
