import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { type Clock, systemClock, utcDayOf } from '../../src/lib/clock.ts';
import { madeAt } from '../../src/lib/id.ts';
import { silentLog } from '../../src/lib/log.ts';
import { readReport } from '../../src/operations/reports/report.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { storeClock } from '../../src/store/port/store-clock.ts';
import { createServerClock } from '../../src/store/postgres/store.ts';
import { text } from '../../src/store/schema/columns.ts';
import { selectRollupState } from '../../src/store/sums/rollups.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { composeOn, type Replica } from './support/replica.ts';

const hourMs = 3_600_000;
const catalog = createCatalog({
  ...{ models: [], aliases: [], platforms: [], defaultPlatform: 'sandbox', shipped: [] },
  clock: systemClock,
});
/** More than a busy machine needs for a call, and far less than the clocks' error. */
const nearMs = 60_000;

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

/** This machine's clock, some time ahead, until it is set to another time. */
function wrongClock(aheadMs: number) {
  let ahead = aheadMs;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const set = (to: number) => {
    ahead = to;
  };
  return { clock, set };
}

describe.each([
  { name: 'an hour fast', aheadMs: hourMs },
  { name: 'a day slow', aheadMs: -24 * hourMs },
])('a process whose clock is $name', ({ aheadMs }) => {
  let store: Store;
  let replica: Replica;
  const wrong = wrongClock(aheadMs);
  beforeEach(async () => {
    wrong.set(aheadMs);
    const url = await server.database();
    const { clock } = wrong;
    store = await openPostgresStore({ url, log: silentLog, clock });
    replica = await composeOn({ store, url, clock });
  });
  afterEach(async () => {
    await replica.stop();
    await store.close();
  });

  test('measures its error', () => {
    const skewMs = store.clock?.skewMs() ?? 0;
    expect(Math.abs(skewMs + aheadMs)).toBeLessThan(nearMs);
  });

  test('charges calls to the day of the store', async () => {
    const before = systemClock.now();
    expect((await replica.post()).status).toBe(200);
    const [call] = await store.read({
      sql: 'select day, started_at, ended_at from call',
      values: [],
      map: (rows) => rows,
    });
    expect([utcDayOf(before), utcDayOf(systemClock.now())]).toContain(call && text(call, 'day'));
    expect(Math.abs(Number(call?.started_at) - before)).toBeLessThan(nearMs);
    expect(Math.abs(Number(call?.ended_at) - before)).toBeLessThan(nearMs);
  });

  test('closes only finished hours, and reports the ledger’s amounts', async () => {
    expect((await replica.post()).status).toBe(200);
    const { admin } = replica.service;
    const days = { from: utcDayOf(systemClock.now() - hourMs), to: utcDayOf(systemClock.now()) };
    const asked = { ...days, by: ['app'] as const, apps: undefined, top: undefined };
    const before = systemClock.now();
    const { total } = await readReport(admin, catalog, asked, () => undefined);
    const [booked] = await store.read({
      sql: 'select cast(sum(cost) as bigint) as cost from call',
      values: [],
      map: (rows) => rows,
    });
    expect(total).toMatchObject({ calls: 1, cost: booked?.cost });
    // The machine may be at the turn of an hour, and no later.
    const state = await store.read(selectRollupState);
    const rolledMs = madeAt(state?.closedUntil ?? '');
    expect(rolledMs).toBeLessThanOrEqual(systemClock.now() - 180_000);
    expect(rolledMs).toBeGreaterThan(before - 2 * hourMs);
    expect(await audit(store, systemClock.now())).toMatchObject({ clean: true });
  });

  test('neither declares other instances dead, nor is declared dead', async () => {
    const [seen] = await store.read({
      sql: 'select seen_at from owner',
      values: [],
      map: (rows) => rows.map((row) => Number(row.seen_at)),
    });
    expect(Math.abs((seen ?? 0) - systemClock.now())).toBeLessThan(nearMs);
  });

  test('keeps the right time when its clock is set while it runs', async () => {
    const clock = storeClock(store, wrong.clock);
    wrong.set(0);
    expect(Math.abs(clock.now() - systemClock.now())).toBeLessThan(nearMs);
    expect(Math.abs(store.clock?.skewMs() ?? hourMs)).toBeLessThan(nearMs);
  });
});

test('a slow response of the server does not affect the measured clock', async () => {
  let monotonicMs = 0;
  let serverMs = 1_000_000;
  let answerMs = 2;
  const clock: Clock = { ...systemClock, now: () => 0, monotonic: () => monotonicMs };
  const pass = (ms: number) => {
    monotonicMs += ms;
    serverMs += ms;
  };
  const server = createServerClock(clock, async () => {
    // All of the delay is on the way back: the worst case.
    const read = serverMs;
    pass(answerMs);
    return read;
  });
  await server.measure();
  expect(server.skewMs() - serverMs).toBe(-1);
  answerMs = 3_000;
  await server.measure();
  expect(server.skewMs() - serverMs).toBe(-1);
  // A new setting of the server's clock is accepted.
  serverMs += hourMs;
  answerMs = 2;
  await server.measure();
  expect(server.skewMs() - serverMs).toBe(-1);
});
