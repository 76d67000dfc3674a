import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient, LlmError } from '@model-gateway/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../../../harness/process.ts';
import { until } from '../../../../harness/until.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { runBin } from '../../test/cli/support/bin.ts';
import { adminOn } from '../../test/store/support/books.ts';
import { expectBooks, paid } from '../../test/support/books.ts';
import { meetChat } from '../../test/support/exchange.ts';
import { type Served, startServed, untilKnown } from '../../test/support/process.ts';
import { openStack } from '../../test/support/stack.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-disk-'));
  path = join(folder, 'gateway.db');
  await writeFile(join(folder, 'gateway.yaml'), configuration);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(): Promise<Store> {
  const onDeath = (error: Error) => {
    throw error;
  };
  return openStore({ target: { kind: 'sqlite', path }, onDeath, log: silentLog });
}

// A file size limit simulates a full disk: the writes of the process fail.
test('a full disk rejects calls, keeps the process up, and is recovered from', async () => {
  const served = await startServed(['serve'], { cwd: folder });
  const store = await open();
  const apiKey = await issue(store);
  await untilKnown(served, apiKey);
  const client = createClient({ baseUrl: `${served.url}/v1`, apiKey, maxAttempts: 1 });
  await chat(client);
  await limitFiles(served.process.pid, '4096');
  const codes = new Set<string>();
  for (let call = 0; call < 5; call++) {
    codes.add(await chat(client).then(() => 'OK', codeOf));
  }
  expect([...codes]).toEqual(['INTERNAL']);
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  await until(async () => (await readyOf(served)).includes('The store accepts no writes.'));

  await limitFiles(served.process.pid, 'unlimited');
  await until(async () => (await readyOf(served)) === '{"status":"ready"}');
  expect(await chat(client)).toMatchObject({ text: 'Hello' });
  expect(await audit(store, systemClock.now())).toMatchObject({ clean: true });
  await store.close();
  expect(await served.end('SIGTERM')).toBe(0);
});

test('a store whose files disappear rejects calls, and serves once they are back', async () => {
  const served = await startServed(['serve'], { cwd: folder });
  const store = await open();
  const apiKey = await issue(store);
  await untilKnown(served, apiKey);
  await store.close();
  const client = createClient({ baseUrl: `${served.url}/v1`, apiKey, maxAttempts: 1 });
  await chat(client);
  for (const file of ['gateway.db', 'gateway.db-wal']) {
    const [here, away] = [join(folder, file), join(folder, `${file}.away`)];
    await rename(here, away);
    expect(await chat(client).then(() => 'OK', codeOf)).toBe('INTERNAL');
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
    await rename(away, here);
    expect(await chat(client)).toMatchObject({ text: 'Hello' });
  }
  expect(await served.end('SIGTERM')).toBe(0);
  const after = await open();
  expect(await callsOf(after)).toBe(3);
  expect(await audit(after, systemClock.now())).toMatchObject({ clean: true });
  await after.close();
});

test('a store that turns read-only rejects calls, and serves once it is writable', async () => {
  const stack = await openStack();
  await stack.key('search');
  // The same failure as of a file system that is remounted read-only.
  const setReadOnly = (value: 0 | 1) =>
    stack.store.read({ sql: `pragma query_only = ${value}`, values: [], map: () => undefined });
  await setReadOnly(1);
  const refused = await meetChat(stack, 'search', 'sim-echo');
  expect(refused.error).toMatchObject({ status: 500, code: 'INTERNAL', retryAfterMs: 1_000 });
  const line = stack.logLines.find(({ message }) => message === 'answered');
  expect(line?.fields.cause).toContain('attempt to write a readonly database');
  await setReadOnly(0);
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  await expectBooks(stack, 'search', { calls: [paid('0.000006')], billedUsd: '0.000006' });
  await stack.close();
});

test('a store of a later version is rejected in one line, and not changed', async () => {
  await (await open()).close();
  const database = new DatabaseSync(path);
  database.exec("insert into schema_migration (version, name) values (9999, 'later')");
  database.close();
  await expect(open()).rejects.toThrow(/has schema 9999, .* run a newer version/);
  const { code, out, errors } = await runBin(['serve'], { cwd: folder });
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(errors).toMatch(/^[^\n]* has schema 9999, but this [^\n]* run a newer version\n$/);
});

test('a file that is not a database is rejected in one line, and not changed', async () => {
  await writeFile(path, 'This is a letter to my aunt. '.repeat(100));
  await expect(open()).rejects.toThrow(/cannot open the store .*the file is not a SQLite database/);
});

test('the command line writes while the service commits, and nothing is lost', async () => {
  const served = await startServed(['serve'], { cwd: folder });
  const store = await open();
  const apiKey = await issue(store);
  await untilKnown(served, apiKey);
  const client = createClient({ baseUrl: `${served.url}/v1`, apiKey, maxAttempts: 1 });
  let isOver = false;
  let answered = 0;
  const callers = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      await chat(client);
      answered += 1;
    }
  });
  for (let index = 0; index < 150; index++) await issue(store);
  isOver = true;
  await Promise.all(callers);
  expect(await callsOf(store)).toBe(answered);
  expect(await audit(store, systemClock.now())).toMatchObject({ clean: true });
  await store.close();
  expect(await served.end('SIGTERM')).toBe(0);
});

/** The readiness page of the admin listener; the log has its address. */
async function readyOf({ log }: Served): Promise<string> {
  const url = /"url":"([^"]+)","msg":"admin listener started"/.exec(log())?.[1];
  return (await fetch(`${url}/ready`)).text();
}

function callsOf(store: Store): Promise<number> {
  const sql = "select 1 from call where code = 'OK'";
  return store.read({ sql, values: [], map: (rows) => rows.length });
}

type Client = ReturnType<typeof createClient>;

function chat(client: Client) {
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  return client.chat({ model: 'sim-echo', maxTokens: 50, messages });
}

function codeOf(error: unknown): string {
  if (LlmError.is(error)) return error.code;
  throw error;
}

async function limitFiles(pid: number | undefined, bytes: string) {
  // Only the soft limit: the same process may raise it again.
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

async function issue(store: Store): Promise<string> {
  return (await issueKey(adminOn(store), { app: 'search', email: 'team@acme.example' })).key;
}

const configuration = `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 10000000 } }
apps: [{ name: search, dailyBudgetUsd: "1000" }]
`;
