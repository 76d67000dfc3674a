import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { createFetch } from '../../src/ingress/http/fetch.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectRunOfKey } from '../../src/store/queries/runs.ts';
import { openHolds, openReplica } from '../store/support/books.ts';
import { composeOn, type Replica } from '../store/support/replica.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let stores: readonly [Store, Store];
let replicas: readonly [Replica, Replica];
let apiKey: string;
/** The number of reads of a run by its key on the second replica. */
let readings = 0;
beforeEach(async () => {
  const url = await server.database();
  stores = [await openReplica(url), await openReplica(url)];
  const first = await composeOn({ store: stores[0], url });
  ({ apiKey } = first);
  const { simulator } = first;
  replicas = [first, await composeOn({ store: counting(stores[1]), url, apiKey, simulator })];
  readings = 0;
});
afterEach(async () => {
  for (const replica of replicas) await replica.stop();
  expect((await audit(stores[0], systemClock.now())).checks.filter((each) => !each.ok)).toEqual([]);
  for (const store of stores) await store.close();
});

function counting(store: Store): Store {
  const ofKey = selectRunOfKey('').sql;
  const read: Store['read'] = (query) => {
    if (query.sql === ofKey) readings += 1;
    return store.read(query);
  };
  return { ...store, read };
}

/** A request about runs, with the app's key. */
async function askRuns(at: 0 | 1, method: string, path = '', body?: object, more = {}) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', ...more };
  const response = await createFetch(replicas[at].service.ingress)(
    `http://gateway.test/v1/runs${path}`,
    { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
  );
  return { status: response.status, body: Object(await response.json()) };
}

async function makeRun(at: 0 | 1, maxCostUsd: string): Promise<{ runId: string; key: string }> {
  const made = await askRuns(at, 'POST', '', { maxCostUsd, expiresInMs: 3_600_000 });
  expect(made.status).toBe(201);
  return made.body;
}

async function call(at: 0 | 1, key: string) {
  const response = await replicas[at].post({ apiKey: key });
  const text = await response.text();
  return { status: response.status, scope: response.headers.get('x-budget-scope'), text };
}

test('the key of a run works everywhere after its response', async () => {
  for (const [made, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const { key } = await makeRun(made, '1');
    const calls = await Promise.all([call(other, key), call(other, key), call(made, key)]);
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
  }
  // Concurrent requests to the replica without the run shared a read.
  expect(readings).toBe(1);
});

test('requested on both at once under one idempotency key it is one run', async () => {
  const more = { 'idempotency-key': 'one of both' };
  const wanted = { maxCostUsd: '1', expiresInMs: 3_600_000 };
  const made = await Promise.all(
    ([0, 1, 0, 1] as const).map((at) => askRuns(at, 'POST', '', wanted, more)),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const [first] = made;
  for (const { body } of made) expect(body).toEqual(first?.body);
  expect((await call(1, first?.body.key)).status).toBe(200);
  expect((await call(0, first?.body.key)).status).toBe(200);
});

test('a key ends at once on the replica that ended its run, and in 1 s elsewhere', async () => {
  const { runId, key } = await makeRun(0, '1');
  expect((await call(1, key)).status).toBe(200);
  expect((await call(0, key)).status).toBe(200);
  expect(await askRuns(0, 'DELETE', `/${runId}`)).toMatchObject({ status: 200 });
  expect((await call(0, key)).status).toBe(403);
  await until(async () => (await call(1, key)).status === 403);
});

test('callers on two replicas together spend no more than the run budget', async () => {
  const { runId, key } = await makeRun(0, '0.0006');
  const callers = Array.from({ length: 80 }, async (_, at) => call(at % 2 === 0 ? 0 : 1, key));
  const calls = await Promise.all(callers);
  const refused = calls.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  expect(new Set(refused.map(({ status, scope }) => `${status} ${scope}`))).toEqual(
    new Set([`429 run:${runId}`]),
  );
  await until(async () => (await openHolds(stores[0])) === 0);
  // One by one, until the budget is used up.
  for (let at = 0; (await call(at % 2 === 0 ? 0 : 1, key)).status === 200; at++);
  await until(async () => (await openHolds(stores[0])) === 0);
  const { body } = await askRuns(1, 'GET', `/${runId}`);
  expect(body).toMatchObject({ maxCostUsd: '0.0006', heldUsd: '0' });
  const spent = BigInt(Math.round(Number(body.spentUsd) * 1e12));
  expect(spent).toBe(replicas[0].simulator.bill().total.costPicoUsd);
  expect(spent).toBeLessThanOrEqual(600_000_000n);
});
