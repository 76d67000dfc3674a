import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, LlmError } from '@model-gateway/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../../../harness/process.ts';
import { until } from '../../../../harness/until.ts';
import { runBin } from '../../test/cli/support/bin.ts';
import { type Served, startServed } from '../../test/support/process.ts';

let folder: string;
let apiKey: string;
let running: Served[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-older-'));
  running = [];
  await writeFile(join(folder, 'gateway.yaml'), configuration);
  const issued = await command('keys', 'issue', '--app', 'search', '--email', 'a@b.example');
  apiKey = /mgk_\w+/.exec(issued)?.[0] ?? '';
});
afterEach(async () => {
  for (const served of running) await served.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);

async function command(...words: readonly string[]): Promise<string> {
  const { code, out, errors } = await runBin(words, { cwd: folder });
  if (code !== 0) throw new Error(`${words.join(' ')}: ${errors}`);
  return out;
}

async function start(): Promise<Served> {
  const served = await startServed(['serve'], { cwd: folder });
  running.push(served);
  return served;
}

/** The outcome of one call: `OK` or the code of its error. */
function call(served: Served): Promise<string> {
  const client = createClient({ baseUrl: `${served.url}/v1`, apiKey, maxAttempts: 1 });
  const messages = [{ role: 'user', content: 'Hello' }] as const;
  return client.chat({ model: 'sim-echo', maxTokens: 50, messages }).then(
    () => 'OK',
    (error: unknown) => {
      if (LlmError.is(error)) return error.code;
      throw error;
    },
  );
}

const older = /"level":"error"[^\n]*store is older than the one last served here[^\n]*/;

/** A start that has closed the day, and a command that opens it again, since nothing was lost. */
async function expectClosed() {
  const served = await start();
  await until(async () => older.test(served.log()));
  expect(served.log()).toContain('model-gateway days reopen search');
  expect(await call(served)).toBe('BUDGET_EXCEEDED');
  expect(await command('audit')).toContain('The ledger is clean.');
  const reopened = await command('days', 'reopen', 'search');
  expect(reopened).toMatch(/^search +\d{4}-\d\d-\d\d +\$[\d.]+ +call_/m);
  expect(await call(served)).toBe('OK');
  expect(await command('audit')).toContain('The ledger is clean.');
  expect(await served.end('SIGTERM')).toBe(0);
  // A loss that was reported is not reported again.
  await expectOpen();
}

async function expectOpen() {
  const served = await start();
  expect(await call(served)).toBe('OK');
  expect(await served.end('SIGTERM')).toBe(0);
  expect(served.log()).not.toMatch(older);
  return served;
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a backup that is restored after %s closes the day, until it is opened again',
  async (signal) => {
    const served = await start();
    expect(await call(served)).toBe('OK');
    // The command of the document.
    const script = `new (require('node:sqlite').DatabaseSync)('gateway.db').exec("vacuum into 'backup.db'")`;
    await run(process.execPath, ['-e', script], { cwd: folder });
    expect(await call(served)).toBe('OK');
    await served.end(signal);
    for (const name of ['gateway.db', 'gateway.db-wal', 'gateway.db-shm']) {
      await rm(at(name), { force: true });
    }
    await copyFile(at('backup.db'), at('gateway.db'));
    await expectClosed();
  },
);

test('a log that is missing after a kill closes the day', async () => {
  const served = await start();
  expect(await call(served)).toBe('OK');
  await served.end('SIGKILL');
  await rm(at('gateway.db-wal'));
  await expectClosed();
});

test('a log that is emptied while the service runs stops it, and closes the day', async () => {
  const served = await start();
  expect(await call(served)).toBe('OK');
  await truncate(at('gateway.db-wal'), 0);
  for (let calls = 0; calls < 4; calls++) expect(await call(served)).toBe('INTERNAL');
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  await until(async () => served.log().includes('gateway.db-wal has lost committed data'));
  await until(async () => (await readyOf(served)).includes('The store accepts no writes.'));
  await served.end('SIGTERM');
  await until(async () => served.log().includes('could not mark the store as cleanly closed'));
  await expectClosed();
});

test('a kill by itself closes nothing, whatever a command does before the next start', async () => {
  const served = await start();
  expect(await call(served)).toBe('OK');
  await served.end('SIGKILL');
  await expectOpen();
  const next = await start();
  expect(await call(next)).toBe('OK');
  await next.end('SIGKILL');
  // It opens the store exclusively, and removes its log at the close.
  expect(await command('audit')).toContain('The ledger is clean.');
  await expectOpen();
});

test('a store without its epoch file is served with a warning, once', async () => {
  const served = await start();
  await served.end('SIGTERM');
  await rm(at('gateway.db.epoch'));
  const warned = await expectOpen();
  expect(warned.log()).toMatch(/"level":"warn"[^\n]*the \.epoch file of the store was missing/);
  const again = await expectOpen();
  expect(again.log()).not.toContain('.epoch');
});

/** The readiness page of the admin listener; the log has its address. */
async function readyOf({ log }: Served): Promise<string> {
  const url = /"url":"([^"]+)","msg":"admin listener started"/.exec(log())?.[1];
  return (await fetch(`${url}/ready`)).text();
}

const configuration = `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "1" }]
`;
