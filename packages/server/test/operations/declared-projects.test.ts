import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readyStore } from '../../src/compose/ready-store.ts';
import type { AppConfig } from '../../src/domain/app.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { compareFile } from '../../src/operations/config/compare-file.ts';
import { bindProject, listBindings } from '../../src/operations/projects/bindings.ts';
import { selectApps } from '../../src/store/queries/registry.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const fileOf = (...apps: readonly AppConfig[]) => ({
  ...{ hash: 'a'.repeat(64), file: '/etc/gateway.yaml', apps, budgets: [], notify: [] },
});
const app = (name: string, mantle?: string): AppConfig => ({
  name,
  ...(mantle !== undefined && { projects: { mantle } }),
});

describe.each(['sqlite', 'postgres'] as const)('a start on %s', (kind) => {
  async function open() {
    const store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    const admin = adminOn(store);
    const bindings = async () =>
      (await listBindings(admin)).map((row) => `${row.app} ${row.platform} ${row.projectId}`);
    const start = (...apps: readonly AppConfig[]) =>
      readyStore(admin, fileOf(...apps), silentLog, 'refuse');
    const lines = async () =>
      (
        await listLines(admin, {
          ...{ subject: undefined, actor: undefined, since: undefined, limit: 100 },
        })
      )
        .filter(({ action }) => action === 'project.bind')
        .map(({ actor, subject, before, after }) => ({ actor, subject, before, after }));
    return { admin, bindings, start, lines, close: () => store.close() };
  }

  test('binds apps to the projects of its file, once, in the name of the file', async () => {
    const { bindings, start, lines, close } = await open();
    await start(app('search', 'proj_a'), app('tutor'));
    await start(app('search', 'proj_a'), app('tutor'));
    expect(await bindings()).toEqual(['search mantle proj_a']);
    expect(await lines()).toEqual([
      {
        ...{ actor: expect.stringMatching(/^config:a{12}@/), subject: 'search on mantle' },
        ...{ before: null, after: 'proj_a' },
      },
    ]);
    await close();
  });

  test('binds them to the file’s current values, whatever a command has bound', async () => {
    const { admin, bindings, start, lines, close } = await open();
    await start(app('search', 'proj_a'), app('tutor', 'proj_b'));
    await bindProject(admin, { app: 'search', platform: 'mantle', projectId: 'proj_c' });
    await bindProject(admin, { app: 'search', platform: 'other', projectId: 'proj_d' });
    const { apps } = await compareFile(admin, fileOf(app('search', 'proj_a'), app('tutor')), {
      missing: 'keep',
      catalog: { pricesByModel: () => [] },
    });
    expect(apps).toMatchObject([
      {
        ...{ app: 'search', atStart: 'change' },
        settings: [{ setting: 'projects.mantle', store: 'proj_c', file: 'proj_a', isSet: true }],
      },
      { app: 'tutor', atStart: 'leave' },
    ]);
    // An exchange of two projects is one change; apps outside the file stay.
    await start(app('search', 'proj_b'), app('tutor', 'proj_a'));
    expect(await bindings()).toEqual([
      'search mantle proj_b',
      'search other proj_d',
      'tutor mantle proj_a',
    ]);
    expect((await lines()).slice(0, 2).map(({ after }) => after)).toEqual(
      expect.arrayContaining(['proj_a', 'proj_b']),
    );
    await close();
  });

  test('is rejected with nothing changed where a project is another app’s', async () => {
    const { admin, bindings, start, close } = await open();
    await createApp(admin, 'other', {});
    await bindProject(admin, { app: 'other', platform: 'mantle', projectId: 'proj_b' });
    const started = start(app('search', 'proj_a'), app('tutor', 'proj_b'));
    await expect(started).rejects.toThrow(/^proj_b is already the project of the app other/);
    expect(await bindings()).toEqual(['other mantle proj_b']);
    const apps = await admin.store.read(selectApps(admin.company));
    expect(apps.map(({ name }) => name)).toEqual(['other']);
    await close();
  });

  test('leaves apps of the command line unchanged', async () => {
    const { admin, bindings, start, close } = await open();
    await createApp(admin, 'search', {});
    await start(app('search', 'proj_a'));
    expect(await bindings()).toEqual([]);
    await close();
  });
});
