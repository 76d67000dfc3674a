import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlatformConfig } from '../../src/domain/platform.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { enableKey, issueKey } from '../../src/operations/keys/keys.ts';
import { endSampleKeys, issueSampleKeys } from '../../src/operations/keys/sample-keys.ts';
import { selectKeys } from '../../src/store/queries/registry.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const simulator: PlatformConfig = { name: 'sandbox', kind: 'simulator' };
const local = (baseUrl: string): PlatformConfig => ({
  name: 'local',
  kind: 'openai-compatible',
  baseUrl,
});
const openai: PlatformConfig = { name: 'openai', kind: 'openai', apiKey: 'k' };

describe.each(['sqlite', 'postgres'] as const)('keys of a first start on %s', (kind) => {
  async function open() {
    const store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    const admin = adminOn(store);
    for (const app of ['search', 'tutor']) await createApp(admin, app, {});
    const warned: string[] = [];
    const log = { ...silentLog, warn: (_facts: object, text: string) => void warned.push(text) };
    const start = (...platforms: readonly PlatformConfig[]) =>
      endSampleKeys(admin, { platforms }, log);
    const enabled = async () =>
      (await store.read(selectKeys))
        .filter((key) => key.isEnabled)
        .map((key) => key.customerId)
        .sort();
    return { store, admin, warned, start, enabled };
  }

  test('end when a platform that bills is configured, and not before', async () => {
    const { store, admin, warned, start, enabled } = await open();
    expect(await issueSampleKeys(admin, { platforms: [simulator] })).toHaveLength(2);
    const own = await issueKey(admin, { app: 'search', email: 'ann@acme.example' });
    await start(simulator);
    await start(simulator, local('http://127.0.0.1:11434/v1'), local('http://[::1]:1/v1'));
    expect([await enabled(), warned]).toEqual([['search', 'search', 'tutor'], []]);
    await start(simulator, openai);
    expect(await enabled()).toEqual(['search']);
    expect(warned).toHaveLength(2);
    expect(warned[1]).toMatch(/^sample key disabled, because .* printed the key .*--app tutor/);
    const rows = await store.read(selectKeys);
    const sample = rows.find((key) => key.isSample);
    expect(rows.find((key) => key.id === own.id)).toMatchObject({ isSample: false });
    await enableKey(admin, sample?.id ?? '');
    await start(openai);
    expect((await enabled()).length).toBe(2);
    const reasons = await store.read({
      sql: "select reason from audit_log where action = 'key.disable'",
      values: [],
      map: (entries) => entries.map(({ reason }) => reason),
    });
    expect(reasons).toEqual(Array(2).fill('the first start printed this key, and openai bills'));
    await store.close();
  });

  test('without a marker are logged as a warning', async () => {
    const { store, admin, warned, start, enabled } = await open();
    await issueKey(admin, { app: 'search', email: 'team@search.example' });
    await start(local('https://models.acme.example/v1'));
    expect(await enabled()).toEqual(['search']);
    expect(warned).toEqual([
      expect.stringMatching(/^this key looks like a sample key .* keys disable /),
    ]);
    await store.close();
  });
});
