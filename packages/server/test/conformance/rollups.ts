import { expect, test } from 'vitest';
import { rollUp } from '../../src/ledger/rollups.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import { closedParts } from '../../src/operations/days/closed-parts.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import { rebuildRollups } from '../../src/operations/reports/rebuild-rollups.ts';
import { type Store, StoreError } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { selectRollupState } from '../../src/store/sums/rollups.ts';
import { selectTopUsers } from '../../src/store/sums/top-users.ts';
import { prove } from '../ledger/proof-size.ts';
import { noonMs, type Operations, operationsOf, search, tutor } from './operations.ts';
import { readBy, rolledProperty, splitSums, userSums } from './rolled.ts';
import { adminOn, type Subject } from './subject.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Rollups of reports: when hours are closed, and that rollups equal the records. */
export function testRollups(open: () => Promise<Subject>, storeOf: () => Store, runs: number) {
  test('rollups equal the records, at any state of their calculation', async () => {
    await prove(rolledProperty(open, storeOf(), 12), runs);
  });

  test('an hour is closed three minutes after its end, once none of its calls runs', async () => {
    const subject = await open();
    await book(subject, search, idAt(noonMs), 5n);
    const running = idAt(noonMs + minuteMs);
    await subject.commit([search.reserve(running, 9n)]);
    expect(await rolledAt(noonMs + hourMs + 2 * minuteMs)).toBe(noonMs);
    expect(await rolledAt(noonMs + 5 * hourMs)).toBe(noonMs);
    await subject.commit([search.settle(running, 7n)]);
    expect(await rolledAt(noonMs + hourMs + 2 * minuteMs)).toBe(noonMs);
    expect(await rolledAt(noonMs + hourMs + 3 * minuteMs)).toBe(noonMs + hourMs);
    expect(await lateRows()).toBe(0);
    await subject.commit([search.correct(running, 6n)]);
    expect(await lateRows()).toBe(1);
    expect(await subject.breaches()).toEqual([]);
  });

  test('no hour is closed while an instance of the previous version runs', async () => {
    const subject = await open();
    await book(subject, search, idAt(noonMs), 5n);
    const now = noonMs + 2 * hourMs;
    const older = { id: 'older', seenAt: now - minuteMs / 10, configHash: 'x', schemaVersion: 27 };
    await storeOf().write([seen(older)]);
    expect(await rolledAt(now)).toBeUndefined();
    expect(await rolledAt(now + minuteMs)).toBe(now - hourMs);
  });

  test('processes that calculate rollups at once count no call twice', async () => {
    const subject = await open();
    for (let index = 0; index < 30; index++) {
      await book(subject, index % 3 === 0 ? tutor : search, idAt(noonMs + index), 2n);
    }
    const clock = { ...systemClock, now: () => noonMs + 2 * hourMs };
    const parts = { store: storeOf(), clock, stepCalls: 2 };
    await Promise.all(
      [rollUp(parts), rollUp(parts), rollUp(parts)].map((one) => one.catch(onlyStoreError)),
    );
    await rollUp(parts);
    expect(await subject.breaches()).toEqual([]);
    expect(await summed('select cast(sum(calls) as bigint) as sum from usage_split')).toBe(30n);
  });

  test('the most expensive users are current, also if those before differ', async () => {
    const subject = await open();
    const month = { from: '2026-11-01', to: '2026-11-30', apps: undefined };
    const topOf = async (top: number) => {
      const state = await storeOf().read(selectRollupState);
      const query = selectTopUsers({ ...month, top }, state?.rolledUntil ?? '');
      const { groups, userCount: found, total } = await storeOf().read(query);
      return [found, total.cost, ...groups.map(({ userId, cost }) => `${userId} ${cost}`)];
    };
    const of = { app: 'search', granted: undefined, now: noonMs };
    const users = ['ada', 'bob', 'cyd', 'dan'].map((userId) => operationsOf({ ...of, userId }));
    for (const [index, user] of users.entries()) {
      await book(subject, user, idAt(noonMs + index), BigInt(9 - index));
    }
    await rollUp({ store: storeOf(), clock: { ...systemClock, now: () => noonMs + 2 * hourMs } });
    expect(await topOf(2)).toEqual([4, 30n, 'ada 9', 'bob 8']);
    const [ada, bob, , dan] = users;
    if (!ada || !bob || !dan) throw new Error('there are four');
    await subject.commit([ada.correct(idAt(noonMs), 1n), bob.correct(idAt(noonMs + 1), 2n)]);
    await book(subject, dan, idAt(noonMs + hourMs * 3), 2n);
    expect(await topOf(1)).toEqual([4, 18n, 'dan 8']);
    expect(await topOf(2)).toEqual([4, 18n, 'dan 8', 'cyd 7']);
    expect(await topOf(9)).toEqual([4, 18n, 'dan 8', 'cyd 7', 'bob 2', 'ada 1']);
  });

  test('pruned calls stay in the rollups of apps, keys and users', async () => {
    const subject = await open();
    const october = Date.UTC(2026, 9, 10, 12);
    await book(subject, search.at(october), idAt(october), 5n);
    await book(subject, tutor.at(october), idAt(october + 1), 7n);
    await rollUp({ store: storeOf(), clock: { ...systemClock, now: () => noonMs } });
    await subject.commit([tutor.at(october).correct(idAt(october + 1), 4n)]);
    const before = await bothSums();
    await pruneDays(adminOn(storeOf(), noonMs), { before: '2026-11-01' });
    expect((await subject.rows()).calls).toEqual([]);
    expect(await bothSums()).toEqual(before);
    expect(await lateRows()).toBe(0);
    expect(await subject.breaches()).toEqual([]);
  });

  test('days that were pruned before rollups existed keep those by model', async () => {
    const subject = await open();
    const october = Date.UTC(2026, 9, 10, 12);
    await book(subject, search.at(october), idAt(october), 5n);
    await book(subject, tutor.at(october), idAt(october + 1), 7n);
    const usage = (await subject.rows()).usage;
    await storeOf().write([
      { sql: "insert into prune_horizon (id, day) values (1, '2026-11-01')", values: [] },
      { sql: 'delete from call where app = $1', values: ['search'] },
    ]);
    await rollUp({ store: storeOf(), clock: { ...systemClock, now: () => noonMs } });
    expect(await subject.breaches()).not.toContain('I15');
    expect(await subject.breaches()).not.toContain('I15-user');
    expect((await subject.rows()).usage).toEqual(usage);
    expect(await summed('select cast(sum(cost) as bigint) as sum from usage_split')).toBe(12n);
  });

  test('wrong rollups are corrected from the records, except those of pruned months', async () => {
    const subject = await open();
    const october = Date.UTC(2026, 9, 10, 12);
    await book(subject, search.at(october), idAt(october), 5n);
    await pruneDays(adminOn(storeOf(), noonMs), { before: '2026-11-01' });
    await book(subject, search, idAt(noonMs), 5n);
    await book(subject, tutor, idAt(noonMs + 1), 7n);
    const later = adminOn(storeOf(), noonMs + 2 * hourMs);
    await rollUp(later);
    await subject.commit([tutor.correct(idAt(noonMs + 1), 4n)]);
    const before = await bothSums();
    const spoil = [
      'update usage_split set cost = cost + 1',
      'delete from usage_user_month where app = $1',
      'update usage_late set cost = cost + 9',
    ];
    await storeOf().write(spoil.map((sql, at) => ({ sql, values: at === 1 ? ['tutor'] : [] })));
    expect(await subject.breaches()).toEqual(['I15', 'I15-user']);
    const { rows } = await rebuildRollups(later, () => undefined, true);
    expect(rows).toBeGreaterThan(0);
    expect(await subject.breaches()).toEqual(['I15', 'I15-user']);
    const rebuilt = await rebuildRollups(later, () => undefined);
    expect(rebuilt).toEqual({ months: ['2026-11'], rows });
    const pruned = "update usage_split set cost = cost - 1 where day < '2026-11-01'";
    await storeOf().write([{ sql: pruned, values: [] }]);
    expect(await subject.breaches()).toEqual([]);
    expect(await bothSums()).toEqual(before);
    expect(await rebuildRollups(later, () => undefined)).toMatchObject({ rows: 0 });
  });

  test('closed hours are read from the first one with a call to the last', async () => {
    const subject = await open();
    const month = {
      columns: ['app'],
      from: '2026-11-01',
      to: '2026-11-30',
      apps: undefined,
    } as const;
    const read = () => closedParts(storeOf(), month, idAt(noonMs + 9 * hourMs), () => undefined);
    expect(await read()).toHaveLength(1);
    await book(subject, search, idAt(noonMs), 5n);
    await book(subject, tutor, idAt(noonMs + 2 * hourMs), 7n);
    await book(subject, tutor, idAt(noonMs + 9 * hourMs), 9n);
    const [gone, ...hours] = await read();
    const costs = hours.map(({ groups }) => [...groups].map(({ app, cost }) => `${app} ${cost}`));
    expect(costs).toEqual([['search 5'], [], ['tutor 7']]);
    expect([...(gone?.groups ?? [])]).toEqual([]);
  });

  async function rolledAt(nowMs: number): Promise<number | undefined> {
    const store = storeOf();
    await rollUp({ store, clock: { ...systemClock, now: () => nowMs } });
    const state = await store.read(selectRollupState);
    const at = [...Array(6).keys()].map((hour) => noonMs + hour * hourMs);
    return at.find((moment) => firstCallIdAt(moment) === state?.rolledUntil);
  }

  async function bothSums() {
    const store = storeOf();
    return [
      await readBy(store, splitSums, ['day', 'app', 'model', 'keyId']),
      await readBy(store, userSums, ['app', 'userId']),
    ];
  }

  function lateRows(): Promise<number> {
    return summed('select count(*) as sum from usage_late').then(Number);
  }

  function summed(sql: string): Promise<unknown> {
    return storeOf().read({ sql, values: [], map: ([row]) => row?.sum });
  }
}

function idAt(ms: number): string {
  return `${firstCallIdAt(ms)}${'0'.repeat(16)}`;
}

async function book(subject: Subject, whose: Operations, callId: string, cost: bigint) {
  const results = await subject.commit([whose.reserve(callId, cost), whose.settle(callId, cost)]);
  for (const result of results) expect(result).toMatchObject({ ok: true });
}

function onlyStoreError(error: unknown) {
  if (!(error instanceof StoreError)) throw error;
}
