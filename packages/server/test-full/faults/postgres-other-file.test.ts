import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@model-gateway/sdk';
import { beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { appRow } from '../../src/operations/apps/apps.ts';
import { text } from '../../src/store/schema/columns.ts';
import { adminOn } from '../../test/store/support/books.ts';
import type { Served } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import type { Replicas } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;
beforeEach(async () => {
  replicas = await stores.onPostgres();
});

const atStartOf = 'other replicas run a different configuration';
const beside = 'replicas run different configurations';
const leftBehind = 'apps in the store still have settings from a configuration that no';

test('a replica with another file does not win silently', async () => {
  const first = await replicas.start();
  expect(first.log()).not.toContain(atStartOf);
  expect(first.log()).not.toContain(beside);
  const own = await writeBudget('7');
  const second = await replicas.start();

  // Both log it, each with the other's configuration hash and the affected app.
  const atStart = await line(second, atStartOf);
  expect(atStart).toMatchObject({ level: 'warn', apps: ['search'] });
  const told = await line(first, beside);
  expect(told).toMatchObject({ level: 'warn', apps: ['search'] });
  expect(JSON.stringify(told.replicas)).toContain(String(atStart.config));
  expect(atStart.others).toEqual([told.config]);

  // The values of the later start are in force on both, and the audit log names its file.
  expect(await budget()).toBe(7_000_000_000_000n);
  expect(await actors()).toContain(`config:${atStart.config}`);
  for (const { url } of [first, second]) await call(url);

  // The second stops and leaves its values behind: the first logs it, and changes nothing by
  // itself.
  expect(await second.end('SIGTERM')).toBe(0);
  expect(await line(first, leftBehind)).toMatchObject({ level: 'warn', apps: ['search'] });
  expect(await budget()).toBe(7_000_000_000_000n);

  // As it logged: a restart puts its own file in force.
  await writeFile(join(replicas.folder, 'gateway.yaml'), own);
  expect(await first.end('SIGTERM')).toBe(0);
  const third = await replicas.start();
  expect(await budget()).toBe(1_000_000_000_000_000n);
  expect(await line(third, 'app updated from the configuration file')).toMatchObject({
    app: 'search',
    changes: [{ setting: 'dailyBudgetUsd', from: '7', to: '1000' }],
  });
});

/** Sets another budget in the file; returns the old one. */
async function writeBudget(usd: string): Promise<string> {
  const file = join(replicas.folder, 'gateway.yaml');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replace('dailyBudgetUsd: "1000"', `dailyBudgetUsd: "${usd}"`));
  return before;
}

/** The first line of a replica's log whose message begins like this, once it is there. */
async function line(served: Served, sentence: string): Promise<Record<string, unknown>> {
  const isIt = (text: string) => text.includes(`"msg":"${sentence}`) && text.endsWith('}');
  const found = () => served.log().split('\n').find(isIt);
  await until(() => found() !== undefined);
  return JSON.parse(found() ?? '');
}

async function budget(): Promise<bigint | undefined> {
  return (await appRow(adminOn(replicas.store), 'search')).dailyBudgetPicoUsd;
}

/** The actor that changed the app, without the machine's name. */
function actors(): Promise<readonly string[]> {
  return replicas.store.read({
    sql: "select actor from audit_log where action = 'app.update' and subject = 'search'",
    values: [],
    map: (rows) => rows.map((row) => text(row, 'actor').replace(/@.*$/, '')),
  });
}

async function call(url: string) {
  const client = createClient({ baseUrl: `${url}/v1`, apiKey: replicas.apiKey });
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  expect(await client.chat({ model: 'sim-echo', maxTokens: 50, messages })).toBeDefined();
}
