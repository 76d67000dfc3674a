import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../../harness/free-port.ts';
import { createFurtherThreads } from '../../src/cli/threads/further-threads.ts';
import { readyStore } from '../../src/compose/ready-store.ts';
import type { FurtherThreads } from '../../src/compose/threads/threads.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { adminOn, count } from '../store/support/books.ts';
import { callAlone } from './support.ts';

let folder: string;
let store: Store;
let deaths: Error[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-further-'));
  deaths = [];
  store = await openSqliteStore({
    ...{ path: join(folder, 'gateway.db'), log: silentLog, isShared: true },
    onDeath: (error) => expect.unreachable(error.message),
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

let channels = 0;

async function openThreads(yaml: string, clock: Clock = systemClock): Promise<FurtherThreads> {
  const loaded = loadConfig({
    ...{ file: join(folder, 'gateway.yaml'), environment: {} },
    readFile: () => `company: acme\nthreads: 3\nadmin: { port: 0 }\n${yaml}`,
  });
  if ('problems' in loaded) throw new Error(loaded.problems.join('\n'));
  const { config } = loaded;
  await readyStore(adminOn(store), config, silentLog, 'refuse');
  return createFurtherThreads({
    ...{ config, clock, channel: `further ${process.pid} ${channels++}` },
    ...{ logLevel: 'info', writeLine: (line) => void lines.push(line) },
    onDeath: (error) => void deaths.push(error),
  });
}

let lines: string[];
beforeEach(() => {
  lines = [];
});

const sound = `
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;
const start = { detached: { cutSmallest: () => false } };
const at = { host: '127.0.0.1', port: 0 };

test('threads open, serve, report their state, and end cleanly', async () => {
  const threads = await openThreads(sound);
  await threads.start({ ...start, share: store.share });
  expect(await count(store, 'select count(*) as n from owner')).toBe(2);
  // The first thread has already logged its startup lines.
  expect(lines).toEqual([]);
  await threads.listen(at);
  await expect.poll(() => threads.states().map(({ isAlive }) => isAlive)).toEqual([true, true]);
  const [one] = await threads.metrics();
  expect(one?.map(({ name }) => name)).toContain('model_gateway_requests_total');
  expect(await threads.stop()).toBe(0);
  expect(await count(store, 'select count(*) as n from owner')).toBe(0);
  expect(deaths).toEqual([]);
  await store.close();
});

test('a thread that has ended is shown in its last state, and blocks nobody', async () => {
  const threads = await openThreads(sound);
  await threads.start({ ...start, share: store.share });
  const port = await freePort();
  await threads.listen({ ...at, port });
  for (const _ of Array.from({ length: 6 })) {
    await callAlone({ url: `http://127.0.0.1:${port}` }, 'mgk_none');
  }
  const stopping = threads.stop();
  const whileIt = threads.metrics();
  expect(await stopping).toBe(0);
  for (const metrics of [await whileIt, await threads.metrics()]) {
    const refused = metrics
      .flat()
      .filter(({ name }) => name === 'model_gateway_requests_total')
      .flatMap(({ values }) => values);
    expect(refused.reduce((sum, { value }) => sum + value, 0)).toBe(6);
  }
  expect(threads.states().map(({ load }) => load.requests)).toEqual([0, 0]);
  // Too late for it, and harmless.
  await threads.refresh();
  expect(deaths).toEqual([]);
  await store.close();
});

test('a silent thread is reported as not alive, and shown in its last state', async () => {
  let aheadMs = 0;
  let timersAreOver = false;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + aheadMs,
    after(delayMs, run, options) {
      if (!timersAreOver) return systemClock.after(delayMs, run, options);
      // Before any thread can respond, however fast it is.
      queueMicrotask(run);
      return { cancel: () => undefined };
    },
  };
  const threads = await openThreads(sound, clock);
  await threads.start({ ...start, share: store.share });
  const alive = () => threads.states().map(({ isAlive }) => isAlive);
  await expect.poll(alive).toEqual([true, true]);
  const before = await threads.metrics();
  expect(before).toHaveLength(2);
  timersAreOver = true;
  const late = threads.metrics();
  timersAreOver = false;
  expect(await late).toEqual(before);
  aheadMs = 10_000;
  expect(alive()).toEqual([false, false]);
  await expect.poll(alive).toEqual([true, true]);
  expect(await threads.stop()).toBe(0);
  await store.close();
});

test('a thread that cannot open its service reports why, and nothing is left open', async () => {
  const threads = await openThreads(`
platforms: { other: { kind: ai-sdk, package: "@acme/none" } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`);
  const starting = threads.start({ ...start, share: store.share });
  await expect(starting).rejects.toThrow(/@acme\/none/);
  expect(await threads.stop()).toBe(0);
  expect(await count(store, 'select count(*) as n from owner')).toBe(0);
  await store.close();
});

test('a port that a thread cannot open is reported', async () => {
  const threads = await openThreads(sound);
  await threads.start({ ...start, share: store.share });
  await expect(threads.listen({ host: '203.0.113.1', port: 9 })).rejects.toThrow(
    /cannot listen on 203\.0\.113\.1:9: .*EADDRNOTAVAIL.*; change listen in the configuration/,
  );
  expect(await threads.stop()).toBe(0);
  await store.close();
});

test('threads that lose the store end, and the process gets the error', async () => {
  const threads = await openThreads(sound);
  await threads.start({ ...start, share: store.share });
  await store.close();
  await expect.poll(() => deaths.length).toBeGreaterThan(0);
  expect(deaths.map(({ message }) => message)).toContain("the store's thread has ended");
  // Otherwise an operator cannot find the location in the code.
  expect(deaths[0]?.stack).toMatch(/\n {4}at /);
});

test('a call of a thread is one of its service, with its name in the log', async () => {
  const threads = await openThreads(sound);
  await threads.start({ ...start, share: store.share });
  const port = await freePort();
  await threads.listen({ ...at, port });
  const answer = await callAlone({ url: `http://127.0.0.1:${port}` }, 'mgk_none');
  expect(answer).toMatchObject({ status: 403, body: '{"message":"Forbidden"}' });
  await expect.poll(() => lines.join('')).toContain('FORBIDDEN');
  expect(await threads.stop()).toBe(0);
  await store.close();
});
