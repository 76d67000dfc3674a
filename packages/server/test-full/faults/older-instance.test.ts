import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@model-gateway/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { selectInstances } from '../../src/store/queries/instances.ts';
import { newestSchema } from '../../src/store/schema/migrations.ts';
import { adminOn, count } from '../../test/store/support/books.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';
import { type Served, startServed } from '../../test/support/process.ts';
import { openReplicas, type Replicas } from './replicas.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The last schemas whose services support no budgets, and no runs. */
const beforeBudgets = 18;
const beforeRuns = 21;

let server: OwnPostgres;
let folder: string;
beforeAll(async () => {
  server = await startOwnPostgres();
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-older-instance-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('a process before budgets is named while alive, and cannot start after one', async () => {
  const replicas = await openReplicas(server);
  const admin = adminOn(replicas.store);
  const set = () => setBudget(admin, 'all', { apps: 'all', dailyPicoUsd: 10n ** 12n }, []);
  const launcher = await olderLauncher(beforeBudgets);
  const older = await startOlder(replicas, launcher);
  const id = await idOf(replicas, beforeBudgets);
  await callOn(older, replicas);
  await expect(set()).rejects.toThrow(
    `nothing was changed: ${id} runs an older version that supports only daily app budgets`,
  );
  expect(await count(replicas.store, 'select count(*) as n from budget_definition')).toBe(0);
  // It continues as before.
  await callOn(older, replicas);
  expect(await older.end('SIGTERM')).toBe(0);
  expect(await set()).toMatchObject([{ capUsd: '1' }]);
  await expect(startOlder(replicas, launcher)).rejects.toThrow(
    `schema ${newestSchema('postgres')}, but this model-gateway supports up to ${beforeBudgets}`,
  );
  await replicas.close();
});

test('a process before runs is named while alive; after its end, runs are created', async () => {
  const replicas = await openReplicas(server);
  const served = await replicas.start();
  const launcher = await olderLauncher(beforeRuns);
  const older = await startOlder(replicas, launcher);
  const id = await idOf(replicas, beforeRuns);
  const refused = await makeRun(served, replicas);
  expect(refused.status).toBe(500);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.text()).toContain('during an upgrade of the service');
  await until(() => served.log().includes(`instances of an older version are running: ${id}`));
  await callOn(older, replicas);
  await older.end('SIGKILL');
  await until(async () => (await makeRun(served, replicas)).status === 201);
  await expect(startOlder(replicas, launcher)).rejects.toThrow(`supports up to ${beforeRuns}`);
  await replicas.close();
});

/**
 * The launcher of a service of an older schema: this one, without the later steps. Other processes
 * rely only on its own report and its heartbeats.
 */
async function olderLauncher(schema: number): Promise<string> {
  const copy = join(folder, `${schema}`);
  const own = join(copy, 'packages', 'server');
  for (const name of ['bin', 'src', 'package.json']) {
    await cp(join(root, 'packages', 'server', name), join(own, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const migrations = join(own, 'src', 'store', 'migrations');
  for (const file of await readdir(migrations)) {
    if (Number(file.slice(0, 4)) > schema) await rm(join(migrations, file));
  }
  return join(own, 'bin', 'model-gateway.js');
}

function startOlder({ folder: cwd, databaseUrl }: Replicas, launcher: string): Promise<Served> {
  const environment = { MODEL_GATEWAY_STORE: databaseUrl };
  return startServed(['serve'], { cwd, environment, launcher });
}

/** The name under which other processes see a process of a schema. */
async function idOf({ store }: Replicas, schemaVersion: number): Promise<string | undefined> {
  const instances = await store.read(selectInstances(0));
  const found = instances.filter((each) => each.schemaVersion === schemaVersion);
  expect(found).toHaveLength(1);
  return found[0]?.id;
}

async function callOn({ url }: Served, { apiKey }: Replicas) {
  const client = createClient({ baseUrl: `${url}/v1`, apiKey, maxAttempts: 1 });
  await client.chat({
    model: 'sim-echo',
    maxTokens: 50,
    messages: [{ role: 'user', content: 'Hello' }],
  });
}

function makeRun({ url }: Served, { apiKey }: Replicas): Promise<Response> {
  const body = JSON.stringify({ maxCostUsd: '1', expiresInMs: 60_000 });
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  return fetch(`${url}/v1/runs`, { method: 'POST', headers, body });
}
