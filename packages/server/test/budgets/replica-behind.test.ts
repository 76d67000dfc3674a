import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { until } from '../../../../harness/until.ts';
import { isTrueRefusal } from '../../../lab/src/attack/verdict.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { removeBudget, setBudget, showBudget } from '../../src/operations/budgets/budgets.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectRevision } from '../../src/store/queries/registry.ts';
import { big } from '../../src/store/schema/columns.ts';
import { adminOn, count, openHolds, openReplica } from '../store/support/books.ts';
import { composeOn, type Replica } from '../store/support/replica.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const dollar = 10n ** 12n;
const pollMs = 500;

/** The registry never polls, so it receives changes only from the store's notices. */
const withoutPolls: Clock = {
  ...systemClock,
  after: (delayMs, run, options) =>
    delayMs === pollMs ? { cancel: () => undefined } : systemClock.after(delayMs, run, options),
};

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let stores: readonly [Store, Store];
let admin: AdminContext;
let replicas: readonly [Replica, Replica];
let keys: Readonly<Record<'search' | 'tutor', string>>;
/** True while the second replica cannot read a newer registry, in spite of notices. */
let isStuck = false;
let reserves = 0;
beforeEach(async () => {
  const url = await server.database();
  stores = [await openReplica(url), await openReplica(url)];
  admin = adminOn(stores[0]);
  const apps = '[{ name: search }, { name: tutor }]';
  const first = await composeOn({ store: stores[0], url, apps });
  const tutor = await issueKey(admin, { app: 'tutor', email: 'team@acme.example' });
  await first.service.registry.refresh();
  const { apiKey, simulator } = first;
  const behind = { store: stuck(stores[1]), url, apps, apiKey, simulator, clock: withoutPolls };
  replicas = [first, await composeOn(behind)];
  keys = { search: apiKey, tutor: tutor.key };
  [isStuck, reserves] = [false, 0];
});
afterEach(async () => {
  for (const replica of replicas) await replica.stop();
  expect((await audit(stores[0], systemClock.now())).checks.filter((each) => !each.ok)).toEqual([]);
  for (const store of stores) await store.close();
});

function stuck(store: Store): Store {
  let known: unknown;
  const read: Store['read'] = async (query) => {
    if (query.sql !== selectRevision.sql) return store.read(query);
    if (!isStuck || known === undefined) known = await store.read(selectRevision);
    return query.map([{ revision: known, value: known }]);
  };
  const commit: Store['commit'] = (batch) => {
    reserves += batch.filter(({ kind }) => kind === 'reserve').length;
    return store.commit(batch);
  };
  return { ...store, read, commit };
}

type Way = `${'search' | 'tutor'} ${0 | 1}`;
const ways = ['search 0', 'search 1', 'tutor 0', 'tutor 1'] as const;

/** Callers of each app on each replica, without pause, and the results that they received. */
function load() {
  const admitted = new Map<Way, number>(ways.map((way) => [way, 0]));
  const refused = new Map<Way, number>(ways.map((way) => [way, 0]));
  let isOver = false;
  const caller = async (way: Way) => {
    const apiKey = way.startsWith('search') ? keys.search : keys.tutor;
    const replica = replicas[way.endsWith('0') ? 0 : 1];
    while (!isOver) {
      const response = await replica.post({ apiKey });
      const text = await response.text();
      const counts = response.status === 200 ? admitted : refused;
      counts.set(way, (counts.get(way) ?? 0) + 1);
      if (response.status === 200) continue;
      expect(response.headers.get('x-budget-scope')).toBe('group-day:research');
      expect(isTrueRefusal(text) ? '' : text).toBe('');
      await pause(5);
    }
  };
  const running = Promise.all(ways.flatMap((way) => [caller(way), caller(way)]));
  /**
   * Waits until each of these ways has this result again, twice: one response might be on its way.
   */
  const again = async (counts: ReadonlyMap<Way, number>, of: readonly Way[] = ways) => {
    const before = new Map(counts);
    await until(() => of.every((way) => (counts.get(way) ?? 0) >= (before.get(way) ?? 0) + 4));
  };
  const stop = () => {
    isOver = true;
    return running;
  };
  return { admitted, refused, again, stop };
}

test('a budget that is created and changed under load applies at once, everywhere', async () => {
  const { admitted, refused, again, stop } = load();
  const set = (settings: Parameters<typeof setBudget>[2]) =>
    setBudget(admin, 'research', settings, []);
  const ofSearch = ways.filter((way) => way.startsWith('search'));
  const ofTutor = ways.filter((way) => way.startsWith('tutor'));
  await again(admitted);
  await set({ apps: ['search'], dailyPicoUsd: 900n * dollar, isVisible: true });
  await again(admitted);
  // Below the reserved amount: no call ends, and no call of a member begins.
  await set({ dailyPicoUsd: 1n });
  const before = new Map(admitted);
  await again(refused, ofSearch);
  await again(admitted, ofTutor);
  // Each caller had at most one running call.
  for (const way of ofSearch) {
    expect(admitted.get(way)).toBeLessThanOrEqual((before.get(way) ?? 0) + 2);
  }
  await set({ apps: ['tutor'] });
  await again(refused, ofTutor);
  await again(admitted, ofSearch);
  await set({ apps: 'all' });
  await again(refused);
  await set({ dailyPicoUsd: 800n * dollar });
  await again(admitted);
  await removeBudget(admin, 'research');
  await again(admitted);
  await set({ apps: ['search', 'tutor'], dailyPicoUsd: 700n * dollar });
  await again(admitted);
  await stop();
  await until(async () => (await openHolds(stores[0])) === 0);
  const [use] = await showBudget(admin, 'research');
  expect(use).toMatchObject({ heldUsd: '0' });
  const sums = await stores[0].read({
    sql: `
      select (select cast(sum(spent) as bigint) from budget_day) as days,
             (select cast(sum(spent) as bigint) from budget_scope
               where scope = 'group:research' and period like '%-%-%') as research`,
    values: [],
    map: ([row = {}]) => ({ days: big(row, 'days'), research: big(row, 'research') }),
  });
  expect(sums.research).toBe(sums.days);
  const bill = replicas[0].simulator.bill().total.costPicoUsd;
  expect(sums.days).toBe(bill);
});

test('a replica that cannot read a change fails after three more attempts', async () => {
  const [, behind] = replicas;
  expect((await behind.post()).status).toBe(200);
  isStuck = true;
  await setBudget(admin, 'research', { apps: 'all', dailyPicoUsd: 900n * dollar }, []);
  reserves = 0;
  const response = await behind.post();
  const { error } = JSON.parse(await response.text());
  expect(error.message).toContain('was not sent because its reservation could not be stored');
  expect([response.status, error.code]).toEqual([500, 'INTERNAL']);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(reserves).toBe(4);
  // Nothing was reserved, and nothing sent.
  expect(await openHolds(stores[0])).toBe(0);
  expect(await count(stores[0], 'select count(*) as n from call')).toBe(1);
  expect(replicas[0].simulator.bill().total.calls).toBe(1);
  isStuck = false;
  reserves = 0;
  expect((await behind.post()).status).toBe(200);
  expect(reserves).toBe(2);
});
