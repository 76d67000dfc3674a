import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readyStore } from '../../src/compose/ready-store.ts';
import { silentLog } from '../../src/lib/log.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { findAppsUnlikeFile } from '../../src/operations/config/begin-serving.ts';
import { MissingAppsError } from '../../src/operations/config/declared-apps.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { disableKey, issueKey } from '../../src/operations/keys/keys.ts';
import type { Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { selectApps } from '../../src/store/queries/registry.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const dollar = 10n ** 12n;
const config = (hash: string, ...apps: readonly object[]) => ({
  ...{ hash: hash.repeat(64), file: '/etc/gateway.yaml' },
  apps: apps.map((app) => ({ name: 'web', ...app })),
  budgets: [],
});
const web = (dollars: bigint) => ({ name: 'web', dailyBudgetPicoUsd: dollars * dollar });

describe.each(['sqlite', 'postgres'] as const)('a start on %s', (kind) => {
  async function open() {
    const store: Store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    const admin: AdminContext = adminOn(store);
    const lines: string[] = [];
    const note = (level: string) => (facts: object, message: string) =>
      void lines.push(`${level} ${message} ${JSON.stringify(facts)}`);
    const log = { ...silentLog, info: note('info'), warn: note('warn') };
    const start = async (
      file: ReturnType<typeof config>,
      missing: 'refuse' | 'keep' | 'disable' = 'refuse',
    ) => {
      lines.length = 0;
      (await readyStore(admin, file, log, missing)).logCreated();
      return [...lines];
    };
    const enabled = async () =>
      (await store.read(selectApps(admin.company)))
        .filter(({ isEnabled }) => isEnabled)
        .map(({ name }) => name);
    return { store, admin, start, enabled };
  }

  test('logs each app that it creates and changes, and the changes of commands', async () => {
    const { store, admin, start } = await open();
    const created = 'info app created from the configuration file';
    expect(await start(config('a', web(1n)))).toEqual([
      `${created} {"app":"web","settings":{"dailyBudgetUsd":"1"}}`,
    ]);
    expect(await start(config('a', web(1n)))).toEqual([]);
    expect(await start(config('b', web(3n)))).toEqual([
      'info app updated from the configuration file {"app":"web","changes":[{"setting":"dailyBudgetUsd","from":"1","to":"3"}]}',
    ]);
    await updateApp(admin, 'web', { dailyBudgetPicoUsd: 10n * dollar });
    expect(await start(config('b', web(3n)))).toEqual([
      'info app was later changed by a command; those values stay in effect {"app":"web","settings":[{"setting":"dailyBudgetUsd","inForce":"10","file":"3"}]}',
    ]);
    const actors = await store.read({
      sql: "select actor from audit_log where actor like 'config:%' order by id",
      values: [],
      map: (rows) => rows.map((row) => String(row.actor).replace(/@.+$/, '@host')),
    });
    expect(actors).toEqual(['config:aaaaaaaaaaaa@host', 'config:bbbbbbbbbbbb@host']);
    await store.close();
  });

  test('rejects a file without apps that are called, and changes nothing', async () => {
    const { store, admin, start, enabled } = await open();
    const file = config('a', web(1n), { name: 'search' }, { name: 'unused' });
    await start(file);
    const { id } = await issueKey(admin, { app: 'web', email: 'a@b.example' });
    await issueKey(admin, { app: 'search', email: 'a@b.example' });
    const other = config('b', { name: 'fresh' });
    const refused = start(other);
    await expect(refused).rejects.toThrow(MissingAppsError);
    const message = String(await refused.catch((error: Error) => error.message));
    expect(message).toContain('are missing from /etc/gateway.yaml: search, web\n');
    for (const cure of ['enabled: false', '--disable-missing', '--keep-missing', 'config diff']) {
      expect(message).toContain(cure);
    }
    expect(await enabled()).toEqual(['search', 'unused', 'web']);
    await disableKey(admin, id);
    // An app that nobody can call blocks no start.
    const without = await start(config('c', { name: 'search' }));
    const disabledLine = 'warn app was removed from the configuration file; disabled';
    expect(without).toEqual([`${disabledLine} {"app":"unused"}`, `${disabledLine} {"app":"web"}`]);
    expect(await enabled()).toEqual(['search']);
    await store.close();
  });

  test('keeps or disables them on request, and logs it', async () => {
    const { store, admin, start, enabled } = await open();
    await start(config('a', web(1n), { name: 'search' }));
    await issueKey(admin, { app: 'web', email: 'a@b.example' });
    const other = config('b', { name: 'search' });
    const servedLine = 'warn app is not in the configuration file; served with its stored settings';
    for (const _start of [1, 2])
      expect(await start(other, 'keep')).toEqual([`${servedLine} {"app":"web"}`]);
    expect(await enabled()).toEqual(['search', 'web']);
    expect(await start(other, 'disable')).toEqual([
      'warn app was removed from the configuration file; disabled {"app":"web"}',
    ]);
    expect(await start(other)).toEqual([]);
    expect(await enabled()).toEqual(['search']);
    // A command that enables it is newer than the file without it.
    await updateApp(admin, 'web', { enabled: true });
    expect(await start(other)).toEqual([]);
    expect(await enabled()).toEqual(['search', 'web']);
    // It returns with the file that contains it.
    await start(config('a', web(1n), { name: 'search' }));
    expect(await enabled()).toEqual(['search', 'web']);
    await store.close();
  });

  test('finds the apps that another file has changed', async () => {
    const { store, admin, start } = await open();
    const own = config('a', web(1n), { name: 'search' });
    await start(own);
    await updateApp(admin, 'web', { dailyBudgetPicoUsd: 5n * dollar });
    expect(await findAppsUnlikeFile(admin, own.apps)).toEqual([]);
    await start(config('b', web(3n), { name: 'search' }, { name: 'more' }));
    expect(await findAppsUnlikeFile(admin, own.apps)).toEqual(['web', 'more']);
    await store.close();
  });
});

test('next to a replica with another configuration, a start names both and the apps', async () => {
  const store = await openReplica(await server.database());
  const admin = adminOn(store);
  const lines: string[] = [];
  const log = {
    ...silentLog,
    warn: (facts: object, message: string) =>
      void lines.push(`${message} ${JSON.stringify(facts)}`),
  };
  await readyStore(admin, config('a', web(1n)), log, 'refuse');
  const replica = { id: 'instance_1', seenAt: admin.clock.now(), configHash: 'a'.repeat(64) };
  await store.write([seen(replica)]);
  await readyStore(admin, config('a', web(1n)), log, 'refuse');
  expect(lines).toEqual([]);
  await readyStore(admin, config('b', web(3n)), log, 'refuse');
  expect(lines).toEqual([
    'other replicas run a different configuration; changes made by this start apply to them too {"config":"bbbbbbbbbbbb","others":["aaaaaaaaaaaa"],"apps":["web"]}',
  ]);
  await store.close();
});
