import { createSimulator } from '@model-gateway/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { audit } from '../../src/store/audit/audit.ts';
import { type Store, StoreError } from '../../src/store/port/port.ts';
import { big, text } from '../../src/store/schema/columns.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import { pendingOf, type WatchedStore, watchStore } from '../support/watched-store.ts';
import { openReplica } from './support/books.ts';
import { composeOn, type Replica } from './support/replica.ts';

/** An app with this amount a day, and this number of credits of a cent a month. */
function appsOf(dailyBudgetUsd: string, credits: string): string {
  return `[{ name: search, dailyBudgetUsd: "${dailyBudgetUsd}", credits: { monthlyGrant: "${credits}", usdPerCredit: "0.01" } }]`;
}

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let opened: readonly WatchedStore[];
let clock: TestClock;
let isCut: boolean;
let replicas: readonly [Replica, Replica];
beforeEach(() => {
  opened = [];
});

async function open(apps = appsOf('5', '100')): Promise<readonly [Replica, Replica]> {
  const url = await server.database();
  isCut = false;
  const first = watchStore(await openReplica(url));
  const second = watchStore(await openReplica(url));
  opened = [first, second];
  clock = createTestClock({ pending: () => pendingOf(opened) });
  const simulator = createSimulator({ clock });
  const one = await composeOn({ store: cuttable(first), url, clock, simulator, apps });
  const { apiKey } = one;
  const two = await composeOn({ store: timeless(second), url, clock, simulator, apps, apiKey });
  replicas = [one, two];
  return replicas;
}
afterEach(async () => {
  for (const replica of replicas) await clock.run(replica.stop());
  await Promise.all(opened.map((store) => store.close()));
});

/** In virtual time the server's clock has no meaning. */
function timeless({ clock: _, ...store }: Store): Store {
  return store;
}

/** A store whose connection to the server can be cut. */
function cuttable(store: Store): Store {
  const unlessCut = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isCut) throw new StoreError('the way to the server is cut');
    return work();
  };
  return {
    ...timeless(store),
    commit: (batch) => unlessCut(() => store.commit(batch)),
    read: (query) => unlessCut(() => store.read(query)),
    write: (statements) => unlessCut(() => store.write(statements)),
  };
}

const request = { model: 'sim-timeout', key: 'k1', userId: 'ada' } as const;

/** A call whose process is dead for the others, before any of them has ended its reservation. */
async function callOfDead(one: Replica): Promise<string> {
  void one.post(request).catch(() => undefined);
  // Its last heartbeat is at 2 s; the other sweeps after 10 s, and after 15 s.
  await clock.advance(2_500);
  isCut = true;
  await clock.advance(10_000);
  const [hold] = await rows('select call_id from hold');
  return text(hold ?? expect.unreachable(), 'call_id');
}

test('a wallet that fits one call pays the takeover of a dead one', async () => {
  const [one, two] = await open(appsOf('5', '0.03'));
  const dead = await callOfDead(one);
  const taken = two.post(request);
  await clock.advance(1_000);
  const [hold, ...more] = await rows('select call_id, grant_amount from hold');
  expect(more).toEqual([]);
  expect(hold?.call_id).not.toBe(dead);
  const [wallet] = await rows('select spent_grant, held_grant from wallet_month');
  expect(wallet).toEqual({ spent_grant: 0n, held_grant: hold?.grant_amount });
  expect(await rows('select call_id, code, basis from call')).toEqual([
    { call_id: dead, code: 'LOST', basis: 'expired' },
  ]);
  expect((await clock.run(taken)).status).toBe(504);
  await clock.advance(30_000);
  expect((await clock.run(two.post(request))).status).toBe(200);
  isCut = false;
});

test('a day that fits one call rejects the takeover, and names the dead call', async () => {
  const [one, two] = await open(appsOf('0.0003', '100'));
  const dead = await callOfDead(one);
  const said = `The amount spent includes an estimate of $0.00024075 for call ${dead}, a lost earlier attempt of this request.`;
  for (let tries = 0; tries < 2; tries++) {
    const refused = await clock.run(two.post(request));
    expect(refused.status).toBe(429);
    expect(Object(await refused.json()).error).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: expect.stringContaining(said),
    });
    // The end of the dead call stays, and so its wallet gets all of it back.
    expect(await rows('select * from hold')).toEqual([]);
    expect(await rows('select held_grant from wallet_month')).toEqual([{ held_grant: 0n }]);
  }
  const other = await clock.run(two.post({ ...request, key: 'k2' }));
  expect(Object(await other.json()).error.message).not.toContain(dead);
  isCut = false;
});

test('a user pays once for a key whose live instance missed its heartbeats', async () => {
  const [one, two] = await open();
  const first = one.post(request);
  await clock.advance(1_000);
  isCut = true;
  await clock.advance(11_000);
  const second = two.post(request);
  await clock.advance(1_000);
  isCut = false;
  expect((await clock.run(first)).status).toBe(504);
  expect((await clock.run(second)).status).toBe(504);
  await clock.advance(30_000);
  const collected = await clock.run(two.post(request));
  expect(collected.status).toBe(200);
  const { cost } = Object(await collected.json());

  expect(one.simulator.bill().total.calls).toBe(2);
  const calls = await rows('select cost, wallet_grant from call order by call_id');
  const costPicoUsd = one.simulator.bill().total.costPicoUsd / 2n;
  expect(calls.map((row) => [big(row, 'cost'), big(row, 'wallet_grant')])).toEqual([
    [costPicoUsd, 0n],
    [costPicoUsd, costPicoUsd],
  ]);
  expect(cost).toMatchObject({ estimated: false });
  const [wallet] = await rows('select spent_grant, held_grant from wallet_month');
  expect(wallet).toEqual({ spent_grant: costPicoUsd, held_grant: 0n });
  expect(await audit(opened[0] ?? expect.unreachable(), clock.now())).toMatchObject({
    clean: true,
  });
});

function rows(sql: string) {
  const [store] = opened;
  if (store === undefined) throw new Error('two stores were opened');
  return store.read({ sql, values: [], map: (found) => found });
}
