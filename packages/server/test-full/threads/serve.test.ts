import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../../../harness/free-port.ts';
import { until } from '../../../../harness/until.ts';
import { systemClock, utcDayOf } from '../../src/lib/clock.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import { adminOn, count, openHolds } from '../../test/store/support/books.ts';
import { readCalls } from '../../test/support/books.ts';
import { type Served, startServed } from '../../test/support/process.ts';
import { callAlone, instancesOf, statusesOf } from '../../test/threads/support.ts';
import { openReplicaStores } from '../faults/replica-stores.ts';
import { callers, expectHonestBooks, type Replicas, type Seen } from '../faults/replicas.ts';

const stores = openReplicaStores();
const threads = 3;
const yaml = `threads: ${threads}\n`;
const many = (count: number) => Array.from({ length: count });

/** The address of the admin listener, by the log, which can come after the line about readiness. */
async function adminOf({ log }: Served): Promise<string> {
  const urlIn = () => /"url":"(http:[^"]+)","msg":"admin listener started"/.exec(log())?.[1];
  await until(() => urlIn() !== undefined);
  return urlIn() ?? '';
}

test.each(stores.all)('three threads on %s answer callers, and survive kills', async (_, open) => {
  const replicas = await open({ yaml });
  const { apiKey } = replicas;
  const seen: Seen = { answered: [], errors: [] };
  for (let round = 0; round < 2; round++) {
    const served = await replicas.start();
    let isOver = false;
    const before = seen.answered.length;
    const goesOn = () => !isOver;
    const calling = callers({ url: served.url, apiKey, seen, count: 24, goesOn });
    await until(() => seen.answered.length > before + 200);
    await served.end('SIGKILL');
    isOver = true;
    await calling;
    expect(instancesOf(served).size).toBe(threads);
  }
  const last = await replicas.start();
  await expectHonestBooks(replicas, seen);
  expect(await last.end('SIGTERM')).toBe(0);
});

test.each(stores.all)('a budget on %s is exceeded by no thread', async (_, open) => {
  const replicas = await open({ yaml });
  const { store, apiKey } = replicas;
  const served = await replicas.start();
  // The reservation and the cost of one call, by calls of the same body.
  const [echo] = await Promise.all([callAlone(served, apiKey, { model: 'sim-slow' })]);
  expect(echo.status).toBe(200);
  const day = utcDayOf(systemClock.now());
  const before = (await store.read(selectBudget('search', day)))?.spent ?? 0n;
  const asked = many(120).map(() => callAlone(served, apiKey, { model: 'sim-slow' }));
  await until(async () => (await openHolds(store)) === 120);
  const held = (await store.read(selectBudget('search', day)))?.held ?? 0n;
  expect(statusesOf(await Promise.all(asked))).toEqual({ 200: 120 });
  const hold = held / 120n;
  const spent = (await store.read(selectBudget('search', day)))?.spent ?? 0n;
  expect(spent - before).toBeLessThan(held);
  // Budget for 31 reservations and a part of one more.
  const cap = spent + hold * 31n + hold / 2n;
  await updateApp(adminOn(store), 'search', { dailyBudgetPicoUsd: cap });
  const answers = await Promise.all(
    many(120).map(() => callAlone(served, apiKey, { model: 'sim-slow' })),
  );
  expect(statusesOf(answers)).toEqual({ 200: 31, 429: 89 });
  for (const { body } of answers.filter(({ status }) => status === 429)) {
    expect(body).toContain('BUDGET_EXCEEDED');
  }
  expect(await audit(store, systemClock.now())).toMatchObject({ clean: true });
  expect(await served.end('SIGTERM')).toBe(0);
});

test('limits apply to all threads together, and so do rates', async () => {
  const replicas = await stores.onSqlite({ limits: '{ inFlight: 7 }', yaml });
  const { apiKey } = replicas;
  const served = await replicas.start();
  const slow = { model: 'sim-slow' };
  const answers = await Promise.all(many(40).map(() => callAlone(served, apiKey, slow)));
  expect(statusesOf(answers)).toEqual({ 200: 7, 429: 33 });
  await limitRate(replicas, 'ratePerSecond: 0.001, burst: 11, requestsPerDay: 10000000');
  await hangUp(served, 1);
  const models = { path: '/v1/models' };
  const rated = [];
  for (const _ of many(30)) rated.push(await callAlone(served, apiKey, models));
  // An advance that one thread has taken is missing for another one.
  const { 200: passed = 0 } = statusesOf(rated);
  expect(passed).toBeLessThanOrEqual(11);
  expect(passed).toBeGreaterThanOrEqual(9);
  expect(await served.end('SIGTERM')).toBe(0);
});

test.each(stores.all)('one key on %s is one call, whichever threads get it', async (_, open) => {
  const replicas = await open({ yaml });
  const served = await replicas.start();
  const slow = { model: 'sim-slow', key: 'k1' };
  const answers = await Promise.all(many(20).map(() => callAlone(served, replicas.apiKey, slow)));
  expect(statusesOf(answers)).toEqual({ 200: 20 });
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  await until(() => instancesOf(served).size === threads);
  expect(replicas.simulator.simulator.bill().total.calls).toBe(1);
  expect(await served.end('SIGTERM')).toBe(0);
});

test('a key that is issued works on every thread within 1 s, and so does its end', async () => {
  const replicas = await stores.onSqlite({ yaml });
  const served = await replicas.start();
  const admin = adminOn(replicas.store);
  const { key } = await issueKey(admin, { app: 'search', email: 'new@acme.example' });
  const statuses = async () =>
    statusesOf(await Promise.all(many(24).map(() => callAlone(served, key))));
  await expect.poll(statuses).toEqual({ 200: 24 });
  await updateApp(admin, 'search', { enabled: false });
  await expect.poll(statuses).toEqual({ 403: 24 });
  expect(await served.end('SIGTERM')).toBe(0);
});

test('operators see all threads as one process', async () => {
  const replicas = await stores.onSqlite({ yaml });
  const served = await replicas.start();
  await Promise.all(many(30).map(() => callAlone(served, replicas.apiKey)));
  const slow = many(9).map(() => callAlone(served, replicas.apiKey, { model: 'sim-slow' }));
  await until(async () => (await openHolds(replicas.store)) === 9);
  const admin = await adminOf(served);
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  expect(metrics).toContain(
    'model_gateway_requests_total{app="search",route="chat",status="200",code="OK"} 30',
  );
  for (const line of ['running_calls 9', 'in_flight 9', 'places 9', 'replicas 1', 'store_up 1']) {
    expect(metrics).toContain(`\nmodel_gateway_${line}\n`);
  }
  expect(metrics).toContain('\nmodel_gateway_budget_cap_usd{app="search"} 1000\n');
  expect(metrics).toContain(`\nmodel_gateway_body_bytes_max ${256 * 2 ** 20}\n`);
  expect(metrics).toMatch(/\nmodel_gateway_stage_seconds_count\{route="chat",stage="total"\} 30\n/);
  expect(metrics.match(/^process_resident_memory_bytes /gm)).toHaveLength(1);
  const open = await fetch(`${admin}/metrics`, {
    headers: { accept: 'application/openmetrics-text' },
  });
  expect(await open.text()).toMatch(/# EOF\n$/);
  expect((await fetch(`${admin}/ready`)).status).toBe(200);
  expect(statusesOf(await Promise.all(slow))).toEqual({ 200: 9 });
  const platform = async () => {
    const { platforms } = JSON.parse(await (await fetch(`${admin}/ready?verbose`)).text());
    return platforms[0].state;
  };
  // The first thread reports each thread's finding about a platform, until any finds otherwise.
  await callAlone(served, replicas.apiKey, { model: 'sim-unauthorized' });
  await until(async () => (await platform()) === 'unauthorized');
  await Promise.all(many(12).map(() => callAlone(served, replicas.apiKey)));
  await until(async () => (await platform()) === 'works');
  expect(await served.end('SIGTERM')).toBe(0);
});

test.each(stores.all)('shutdown on %s lets the calls of every thread end', async (_, open) => {
  const replicas = await open({ yaml, limits: '{ stopDelayMs: 5000 }' });
  const served = await replicas.start();
  const slow = many(24).map(() => callAlone(served, replicas.apiKey, { model: 'sim-slow' }));
  await until(async () => (await openHolds(replicas.store)) === 24);
  const ended = served.end('SIGTERM');
  // While it reports this, each thread does.
  await until(async () => (await callAlone(served, '', { path: '/health' })).status === 503);
  // The rest of the delay may be too short on a busy machine, so the responses count.
  const asked = many(12).map(() => callAlone(served, '', { path: '/health' }));
  const health = await Promise.allSettled(asked);
  const answered = health.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(statusesOf(answered)).toEqual(answered.length === 0 ? {} : { 503: answered.length });
  expect(statusesOf(await Promise.all(slow))).toEqual({ 200: 24 });
  expect(await ended).toBe(0);
  expect(await openHolds(replicas.store)).toBe(0);
  expect(await count(replicas.store, 'select count(*) as n from owner')).toBe(0);
});

test('operators are answered once the services of all threads are there', async () => {
  const replicas = await stores.onSqlite({ yaml });
  const file = join(replicas.folder, 'gateway.yaml');
  const port = await freePort();
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('admin: { port: 0 }', `admin: { port: ${port} }`));
  const starting = replicas.start();
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady);
  expect(await count(replicas.store, 'select count(*) as n from owner')).toBe(threads);
  expect(await (await starting).end('SIGTERM')).toBe(0);
});

test('a port of another process is rejected, even if it could be shared', async () => {
  const replicas = await stores.onSqlite({ yaml });
  const served = await replicas.start();
  const { port } = new URL(served.url);
  const other = await stores.onSqlite({ yaml });
  const second = startServed(['serve', '--port', port], {
    cwd: other.folder,
    environment: { MODEL_GATEWAY_STORE: other.databaseUrl },
  });
  await expect(second).rejects.toThrow(/cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/);
  expect(await served.end('SIGTERM')).toBe(0);
});

test.each(stores.all)(
  'a reload on %s acts on every thread, but for their number',
  async (_, open) => {
    const replicas = await open({ yaml });
    const served = await replicas.start();
    const file = join(replicas.folder, 'gateway.yaml');
    expect(await callAlone(served, replicas.apiKey)).toMatchObject({ status: 200 });
    await appendFile(file, 'budgets: [{ name: both, apps: all, dailyUsd: "0.000001" }]\n');
    await hangUp(served, 1);
    const calls = () => Promise.all(many(24).map(() => callAlone(served, replicas.apiKey)));
    expect(statusesOf(await calls())).toEqual({ 429: 24 });
    await writeFile(
      file,
      (await readFile(file, 'utf8'))
        .replace('kind: simulator, ', 'kind: simulator, priceFactor: "2", ')
        .replace('dailyUsd: "0.000001"', 'dailyUsd: "100"'),
    );
    await hangUp(served, 2);
    expect(statusesOf(await calls())).toEqual({ 200: 24 });
    const booked = await readCalls(replicas.store, 'search', utcDayOf(systemClock.now()));
    const [first, ...others] = booked.map(({ priceVersion }) => priceVersion);
    expect(others).toHaveLength(24);
    expect(new Set(others).size).toBe(1);
    expect(others).not.toContain(first);
    // The threads are not replicas that lag behind.
    expect(served.log()).not.toContain('different configuration');
    await writeFile(file, (await readFile(file, 'utf8')).replace('threads: 3', 'threads: 2'));
    served.process.kill('SIGHUP');
    await until(() => served.log().includes('can change only at startup: threads;'));
    expect(await served.end('SIGTERM')).toBe(0);
  },
);

async function limitRate({ folder }: Replicas, plan: string) {
  const file = join(folder, 'gateway.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/ratePerSecond: 100000.*? (?=\})/, `${plan} `));
}

/** The signal; `times` is the number of configuration reloads by then. */
async function hangUp(served: Served, times: number) {
  const line = 'configuration reloaded';
  served.process.kill('SIGHUP');
  await until(() => served.log().split(line).length > times);
}
