import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../harness/free-port.ts';
import { run, start } from '../../../../harness/process.ts';
import { until } from '../../../../harness/until.ts';
import { readScrape } from '../../test/observe/support/scrape.ts';
import { openHolds } from '../../test/store/support/books.ts';
import { ownLauncher, type Served, startServed } from '../../test/support/process.ts';
import { callAlone, statusesOf } from '../../test/threads/support.ts';
import { openReplicas, type Replicas } from './replicas.ts';

let replicas: Replicas;
let adminUrl: string;
let served: Served | undefined;
let descriptor: number | undefined;
beforeEach(async () => {
  replicas = await openReplicas('sqlite');
  const port = await freePort();
  adminUrl = `http://127.0.0.1:${port}`;
  const file = join(replicas.folder, 'gateway.yaml');
  const yaml = await readFile(file, 'utf8');
  await writeFile(file, yaml.replace('admin: { port: 0 }', `admin: { port: ${port} }`));
});
afterEach(async () => {
  await served?.end('SIGKILL');
  served = undefined;
  if (descriptor !== undefined) closeSync(descriptor);
  descriptor = undefined;
  await replicas.close();
});

/** A service whose standard error is this file. */
async function serve(path: string, flags: string, environment: Record<string, string> = {}) {
  const { folder, databaseUrl } = replicas;
  descriptor = openSync(path, flags);
  served = await startServed(['serve'], {
    cwd: folder,
    environment: { MODEL_GATEWAY_STORE: databaseUrl, ...environment },
    errors: descriptor,
  });
  return served;
}

async function linesLost(): Promise<number> {
  const response = await fetch(`${adminUrl}/metrics`);
  return readScrape(await response.text()).value('model_gateway_log_lines_lost_total') ?? 0;
}

/** Responses arrive. */
async function expectService(url: string, calls = 20) {
  const answers = Array.from({ length: calls }, () => callAlone({ url }, replicas.apiKey));
  expect(statusesOf(await Promise.all(answers))).toEqual({ 200: calls });
  expect((await fetch(`${url}/health`)).status).toBe(200);
}

/** The service shuts down cleanly, with no open reservation. */
async function expectEnd(service: Served) {
  expect(await service.end('SIGTERM')).toBe(0);
  expect(await openHolds(replicas.store)).toBe(0);
}

test.each([
  { format: 'text', threads: 1 },
  { format: 'json', threads: 2 },
])('a full log stops nothing: $format, threads $threads', async ({ format, threads }) => {
  const file = join(replicas.folder, 'gateway.yaml');
  await writeFile(file, `${readFileSync(file, 'utf8')}threads: ${threads}\n`);
  const service = await serve('/dev/full', 'w', { MODEL_GATEWAY_LOG_FORMAT: format });
  await until(async () => (await linesLost()) > 0);
  const before = await linesLost();
  await expectService(service.url);
  await until(async () => (await linesLost()) >= before + 20);
  await expectEnd(service);
});

test('a pipe that nobody reads stops nothing', async () => {
  const path = join(replicas.folder, 'pipe');
  await run('mkfifo', [path]);
  const service = await serve(path, 'r+');
  // More than the buffer of a pipe.
  await expectService(service.url, 400);
  await expectEnd(service);
});

test('a pipe whose reader has exited stops nothing', async () => {
  const path = join(replicas.folder, 'pipe');
  await run('mkfifo', [path]);
  const reader = openSync(path, 'r+');
  const service = await serve(path, 'w');
  if (descriptor !== undefined) closeSync(descriptor);
  descriptor = undefined;
  closeSync(reader);
  await expectService(service.url);
  await until(async () => (await linesLost()) > 0);
  await expectEnd(service);
});

// A file size limit simulates a full disk. The log is larger than all files of the store, so only
// the log reaches the limit.
test('a log with space again has one line about its missing lines', async () => {
  const path = join(replicas.folder, 'serve.log');
  const size = 16 * 1_048_576;
  closeSync(openSync(path, 'a'));
  truncateSync(path, size);
  const log = () => readFileSync(path).subarray(size).toString('utf8');
  const service = await serve(path, 'a');
  await until(() => log().includes('admin listener started'));
  await limitFiles(service, String(size + log().length + 100));
  await expectService(service.url);
  await until(async () => (await linesLost()) >= 20);
  await limitFiles(service, 'unlimited');
  const isBack = '"msg":"the log is writable again"';
  await until(() => log().includes(isBack));
  await expectService(service.url);
  const lost = await linesLost();
  await expectEnd(service);
  const lines = log().trimEnd().split('\n');
  const reports = lines.filter((line) => line.includes(isBack)).map((line) => JSON.parse(line));
  expect(reports).toMatchObject([{ level: 'error', linesLost: lost }]);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'stopped' });
});

test('a standard output that is full stops nothing', async () => {
  const { folder, databaseUrl } = replicas;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  descriptor = openSync('/dev/full', 'w');
  const service = start(process.execPath, [ownLauncher, 'serve', '--port', String(port)], {
    cwd: folder,
    environment: { MODEL_GATEWAY_STORE: databaseUrl },
    stdio: ['ignore', descriptor, 'pipe'],
  });
  await service.printed(/could not write to standard output/);
  await expectService(url);
  expect(await service.end('SIGTERM')).toBe(0);
  expect(await openHolds(replicas.store)).toBe(0);
});

async function limitFiles({ process: { pid } }: Served, bytes: string) {
  // Only the soft limit: the same process may raise it again.
  await run('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}
