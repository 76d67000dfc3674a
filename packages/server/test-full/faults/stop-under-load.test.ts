import { createConnection } from 'node:net';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { count, openHolds } from '../../test/store/support/books.ts';
import { openProxy } from '../../test/store/support/proxy.ts';
import type { Served } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { callers, expectHonestBooks, mixed, type Replicas, type Seen } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;

/** One caller waits for ever, and the others continue. */
const withStuck = (caller: number, call: number) =>
  caller === 0 ? 'sim-stuck' : mixed(caller, call);

/** Callers without retries on one service, running when it is stopped. */
async function load(served: Served, modelOf = mixed) {
  const seen: Seen = { answered: [], errors: [] };
  let isOver = false;
  const goesOn = () => !isOver;
  const { apiKey } = replicas;
  const running = callers({ url: served.url, apiKey, seen, count: 20, goesOn }, modelOf);
  await until(() => seen.answered.length > 60);
  return { seen, end: () => ended(running) };

  function ended(callers: Promise<void>) {
    isOver = true;
    return callers;
  }
}

/** Results of callers while a service is stopped or about to stop. */
const notServed = ['NETWORK', 'GATEWAY_TIMEOUT'];

describe.each(stores.all)('on %s', (_name, open) => {
  test('SIGTERM under load answers and settles all running calls, and exits 0', async () => {
    replicas = await open();
    const served = await replicas.start();
    const { seen, end } = await load(served);
    expect(await served.end('SIGTERM')).toBe(0);
    await end();
    // Later callers were not admitted, or were disconnected before their request was read.
    for (const { code } of seen.errors) expect(notServed).toContain(code);
    expect(await openHolds(replicas.store)).toBe(0);
    expect(await count(replicas.store, "select count(*) as n from call where code <> 'OK'")).toBe(
      0,
    );
    const exact = "select count(*) as n from call where basis = 'exact'";
    const billed = replicas.simulator.simulator.bill().total.calls;
    expect(await count(replicas.store, exact)).toBe(billed);
    expect(seen.answered).toHaveLength(billed);
    await expectHonestBooks(replicas, seen);
  });

  test('a second SIGTERM ends it at once, and no answered call is lost', async () => {
    replicas = await open();
    const served = await replicas.start();
    const { seen, end } = await load(served, withStuck);
    served.process.kill('SIGTERM');
    await until(() => seen.errors.length > 0);
    expect(await served.end('SIGTERM')).toBe(1);
    await end();
    expect(await openHolds(replicas.store)).toBeGreaterThan(0);
    const next = await replicas.start();
    await expectHonestBooks(replicas, seen);
    expect(await next.end('SIGTERM')).toBe(0);
  });
});

test('an idle connection does not keep it', async () => {
  replicas = await stores.onSqlite();
  const served = await replicas.start();
  const { hostname, port } = new URL(served.url);
  const silent = createConnection({ host: hostname, port: Number(port) });
  const closed = new Promise((resolve) => silent.on('error', resolve).on('close', resolve));
  await new Promise((resolve) => silent.on('connect', resolve));
  expect(await served.end('SIGTERM')).toBe(0);
  await closed;
});

describe('while the store is unreachable', () => {
  const limits = '{ stopMs: 1500 }';

  test.skipIf(process.env.MODEL_GATEWAY_TEST_POSTGRES !== undefined)(
    'it ends with 1 and one line, and the next start books the rest',
    async () => {
      replicas = await stores.onPostgres({ limits });
      const served = await replicas.start();
      const { seen, end } = await load(served, withStuck);
      await stores.server().stop();
      expect(await served.end('SIGTERM')).toBe(1);
      await end();
      const line = /the store stayed unavailable during shutdown; unsettled calls: \d+;/;
      await until(() => line.test(served.log()));
      await stores.server().start();
      const next = await replicas.start();
      await expectHonestBooks(replicas, seen);
      expect(await next.end('SIGTERM')).toBe(0);
    },
  );

  test.each([1, 3])(
    'it ends though the network drops everything, and closes nothing: %i threads',
    async (threads) => {
      replicas = await stores.onPostgres({ limits, yaml: `threads: ${threads}\n` });
      const proxy = await openProxy(replicas.databaseUrl);
      const served = await replicas.start(proxy.url);
      const { seen, end } = await load(served, withStuck);
      proxy.swallow(true);
      expect(await served.end('SIGTERM')).toBe(1);
      await end();
      // Unsettled calls of all threads are reported in one line.
      expect(served.log()).toContain('the store stayed unavailable during shutdown');
      await proxy.close();
      const next = await replicas.start();
      await expectHonestBooks(replicas, seen);
      expect(await next.end('SIGTERM')).toBe(0);
    },
  );

  test('it ends with 0 when nothing is left to settle', async () => {
    replicas = await stores.onPostgres({ limits });
    const proxy = await openProxy(replicas.databaseUrl);
    const served = await replicas.start(proxy.url);
    proxy.refuse(true);
    expect(await served.end('SIGTERM')).toBe(0);
    await proxy.close();
  });
});
