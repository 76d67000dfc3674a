import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capOfRun } from '../../src/domain/run.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds, firstCallIdAt } from '../../src/lib/id.ts';
import { type AdminContext, createAdminContext } from '../../src/operations/context/context.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import { audit } from '../../src/store/audit/audit.ts';
import { type Store, StoreError } from '../../src/store/port/port.ts';
import { pruneStatements } from '../../src/store/queries/prune-keys.ts';
import { insertRun, selectRun } from '../../src/store/queries/runs.ts';
import { keptBefore } from './kept-before.ts';
import type { LedgerRows } from './ledger-rows.ts';
import { keyLivesMs, noonMs, type Operations, search, tutor } from './operations.ts';
import type { Subject } from './subject.ts';

const dayMs = 86_400_000;
const october = { tenth: Date.UTC(2026, 9, 10, 12), last: Date.UTC(2026, 9, 31, 23, 59) };
const before = '2026-11-01';

/** Records of past months can be deleted. Nothing else changes, wherever it is interrupted. */
export function testPrune(open: () => Promise<Subject>, storeOf: () => Store) {
  test('records of past months are deleted, and nothing else changes', async () => {
    const subject = await open();
    const ids = await fill(subject);
    const full = await subject.rows();
    const pruned = await pruneDays(adminOn(storeOf()), { before, stepCalls: 2 });
    expect(pruned).toEqual({ prunedBefore: before, calls: 5, retainedBecause: null });
    const left = await subject.rows();
    expect(left.calls.map(({ callId }) => callId)).toEqual([ids.november]);
    expect(withoutCalls(left)).toEqual(withoutCalls(full));
    expect(await audit(storeOf(), noonMs)).toMatchObject({ clean: true, prunedBefore: before });
    const again = await pruneDays(adminOn(storeOf()), { before: '2026-10-01' });
    expect(again).toEqual({ prunedBefore: before, calls: 0, retainedBecause: null });
    expect(await subject.rows()).toEqual(left);
  });

  test('runs that expired before the first retained day are deleted, with their cost', async () => {
    const subject = await open();
    const store = storeOf();
    const runs = [october.tenth, october.last, noonMs].map((at, index) => {
      const run = { app: 'search', id: `run_${index}`, maxCostPicoUsd: 100n, parentKeyId: 'k' };
      const nothing = { models: undefined, userId: undefined, label: undefined };
      const times = { createdAtMs: at, expiresAtMs: at + 60_000, endedAtMs: undefined };
      return { ...run, ...nothing, ...times };
    });
    await store.write(runs.map((run) => insertRun(run, `hash of ${run.id}`, 10)));
    for (const run of runs) {
      const whose = search.at(run.createdAtMs);
      const id = idAt(run.createdAtMs);
      await subject.commit([whose.reserve(id, 9n, { scopes: [capOfRun(run)] })]);
      await subject.commit([whose.settle(id, 7n)]);
    }
    await pruneDays(adminOn(store), { before, stepCalls: 1 });
    // The second one expired on a day that is retained.
    expect((await subject.rows()).scopes).toMatchObject([
      { scope: 'run:search:run_1', spent: 7n, pruned: 7n },
      { scope: 'run:search:run_2', spent: 7n, pruned: 0n },
    ]);
    const left = runs.map(({ id }) => store.read(selectRun('search', id)));
    expect((await Promise.all(left)).map((run) => run?.id)).toEqual([undefined, 'run_1', 'run_2']);
    expect(await audit(store, noonMs)).toMatchObject({ clean: true });
  });

  test('the cost of pruned calls stays in their budgets', async () => {
    const subject = await open();
    const group = { scope: 'group:a@b', period: '2026-10', cap: 100n, mode: 'enforce' } as const;
    const run = { ...group, scope: 'run:search:r', period: 'run' };
    const calls = [october.tenth, october.last, noonMs].map((at, index) => {
      const scopes = index === 2 ? [run] : [group, run];
      const whose = search.at(at);
      return [whose.reserve(idAt(at), 9n, { scopes }), whose.settle(idAt(at), 7n)];
    });
    for (const call of calls) await subject.commit(call);
    await pruneDays(adminOn(storeOf()), { before, stepCalls: 1 });
    expect((await subject.rows()).scopes).toMatchObject([
      { scope: 'group:a@b', spent: 14n, pruned: 14n },
      { scope: 'run:search:r', spent: 21n, pruned: 14n },
    ]);
    expect(await subject.breaches()).toEqual([]);
    await storeOf().write([{ sql: 'update budget_scope set pruned = 13', values: [] }]);
    expect(await subject.breaches()).toEqual(['I4-scope']);
  });

  test('a prune that is interrupted anywhere is completed by the next one', async () => {
    const runs = fc.record({
      calls: fc.array(randomCall, { minLength: 1, maxLength: 12 }),
      day: fc.integer({ min: -45, max: 0 }),
      stepCalls: fc.integer({ min: 1, max: 4 }),
      fails: fc.record({ atWrite: fc.integer({ min: 1, max: 6 }), isAfter: fc.boolean() }),
    });
    const property = fc.asyncProperty(runs, async ({ calls, day, stepCalls, fails }) => {
      const subject = await open();
      for (const [index, call] of calls.entries()) await callOnce(subject, index, call);
      const full = await subject.rows();
      const store = storeOf();
      const until = new Date(Date.parse(before) + day * dayMs).toISOString().slice(0, 10);
      const wish = { before: until, stepCalls };
      const first = await pruneDays(adminOn(failing(store, fails)), wish).catch(onlyStoreError);
      expect(await subject.breaches()).toEqual([]);
      if (first === undefined) await pruneDays(adminOn(store), wish);
      expect(await subject.breaches()).toEqual([]);
      const left = await subject.rows();
      expect(withoutCalls(left)).toEqual(withoutCalls(full));
      expect(left.calls).toEqual(full.calls.filter((call) => call.day >= until));
    });
    await fc.assert(property, { numRuns: 25 });
  });

  test('the key of a running call is never pruned, at any age', async () => {
    const subject = await open();
    const key = 'k';
    const later = noonMs + 10 * keyLivesMs;
    const ended = { key, outcome: 'failed', code: 'SERVER' } as const;
    await subject.commit([
      search.reserve('call_00a', 10n, { key }),
      search.settle('call_00a', 4n, ended),
      search.reserve('call_00b', 10n, { key }),
      search.reserve('call_00c', 10n, { key: 'other' }),
      search.settle('call_00c', 4n, { key: 'other' }),
      search.reserve('call_00e', 10n, { key: 'third' }),
      search.settle('call_00e', 4n, { key: 'third' }),
    ]);
    await storeOf().write(keptBefore('call_00c'));
    for (let step = 0; step < 2; step++) {
      await storeOf().write(pruneStatements(firstCallIdAt(later), later));
    }
    const { idempotency, answers, results } = await subject.rows();
    expect(idempotency).toMatchObject([{ keyHash: key, state: 'running', callId: 'call_00b' }]);
    expect(answers).toEqual([]);
    expect(results).toEqual([]);
    const [again] = await subject.commit([search.at(later).reserve('call_00d', 10n, { key })]);
    expect(again).toMatchObject({ outcome: { kind: 'attach', callId: 'call_00b' } });
  });

  test('the calls of a day are retained while one of them has a reservation', async () => {
    const subject = await open();
    await fill(subject);
    const opened = search.at(october.tenth).reserve(idAt(october.tenth + 5), 1n);
    expect(await subject.commit([opened])).toMatchObject([{ ok: true }]);
    const pruned = await pruneDays(adminOn(storeOf()), { before });
    expect(pruned).toEqual({ prunedBefore: '2026-10-10', calls: 1, retainedBecause: 'hold' });
    expect((await subject.rows()).calls).toHaveLength(5);
    expect(await subject.breaches()).toEqual([]);
  });

  test.each([{ isBefore: false }, { isBefore: true }])(
    'the calls of a day are retained while one of their idempotency keys is valid: %o',
    async ({ isBefore }) => {
      const subject = await open();
      await fill(subject);
      const callId = idAt(october.last + 5);
      const late = search.at(october.last);
      const answerExpiresAt = noonMs + 1;
      const results = await subject.commit([
        late.reserve(callId, 9n, { key: 'k' }),
        { ...late.settle(callId, 1n, { key: 'k' }), answerExpiresAt },
      ]);
      for (const result of results) expect(result).toMatchObject({ ok: true });
      if (isBefore) await storeOf().write(keptBefore(callId));
      const kept = await pruneDays(adminOn(storeOf()), { before });
      expect(kept).toEqual({ prunedBefore: '2026-10-31', calls: 4, retainedBecause: 'key' });
      const gone = await pruneDays(adminOn(storeOf(), noonMs + 1), { before });
      expect(gone).toEqual({ prunedBefore: before, calls: 2, retainedBecause: null });
      expect(await subject.breaches()).toEqual([]);
    },
  );

  test.each([
    ['of this month', noonMs, '2026-11-02'],
    ['of a month that ended less than a day ago', Date.UTC(2026, 11, 1, 23), '2026-12-01'],
  ])('calls %s are retained', async (_what, nowMs, day) => {
    const subject = await open();
    await fill(subject);
    const admin = adminOn(storeOf(), nowMs);
    await expect(pruneDays(admin, { before: day })).rejects.toThrow('Use 2026-11-01 or an earl');
    expect((await subject.rows()).calls).toHaveLength(6);
    const dayLater = adminOn(storeOf(), nowMs + dayMs);
    if (day === '2026-12-01') expect(await pruneDays(dayLater, { before: day })).toBeDefined();
  });

  test('a correction comes before the prune, or finds no call', async () => {
    const subject = await open();
    const bob = tutor.at(october.tenth).as({ userId: 'bob' });
    const ids = Array.from({ length: 40 }, (_, index) => idAt(october.tenth + index));
    for (const callId of ids) await book(subject, bob, callId, 2n);
    const corrections = ids.map((callId) => bob.correct(callId, 1n)).reverse();
    const [, ...results] = await Promise.all([
      pruneDays(adminOn(storeOf()), { before, stepCalls: 3 }),
      ...corrections.map((correction) => subject.commit([correction])),
    ]);
    const kinds = results.flatMap((batch) => batch.map((one) => one.ok && one.outcome.kind));
    for (const kind of kinds) expect(['corrected', 'no-call']).toContain(kind);
    expect((await subject.rows()).calls).toEqual([]);
    expect(await subject.breaches()).toEqual([]);
    const { wallets } = await subject.rows();
    const corrected = kinds.filter((kind) => kind === 'corrected').length;
    expect(wallets[0]?.spentGrant).toBe(BigInt(80 - corrected));
  });

  test('remaining days are still checked, and wallets of deleted days', async () => {
    const subject = await open();
    await fill(subject);
    await pruneDays(adminOn(storeOf()), { before });
    const spoil = async (sql: string) => {
      const [count] = await storeOf().write([{ sql, values: [] }]);
      expect(count).toBeGreaterThan(0);
    };
    await spoil("update budget_day set spent = spent + 1 where day < '2026-11-01'");
    expect(await subject.breaches()).toEqual([]);
    await spoil("update budget_day set spent = spent + 1 where day >= '2026-11-01'");
    expect(await subject.breaches()).toEqual(['I4-budget']);
    await spoil("update usage_day set cost = cost + 1 where day >= '2026-11-01'");
    const ofUsage = ['I5', 'I15', 'I15-user'];
    expect(await subject.breaches()).toEqual(['I4-budget', ...ofUsage]);
    await spoil("update wallet_month set spent_grant = spent_grant - 1 where month = '2026-10'");
    await spoil('update wallet_topup set spent = spent - 1 where spent > 0');
    expect(await subject.breaches()).toEqual(['I4-budget', 'I4-wallet', 'I4-topup', ...ofUsage]);
  });
}

/** Five calls of September and October, with and without a wallet, and one of November. */
async function fill(subject: Subject) {
  const ids = { november: idAt(noonMs) };
  const ada = tutor.at(october.tenth);
  await subject.commit([tutor.at(october.tenth).topUp(500n, 'r')]);
  await book(subject, search.at(Date.UTC(2026, 8, 30)), idAt(Date.UTC(2026, 8, 30)), 5n);
  await book(subject, ada, idAt(october.tenth), 60n);
  await book(subject, ada, idAt(october.tenth + 1), 70n);
  await book(subject, search.at(october.tenth), idAt(october.tenth + 2), 15n);
  await book(subject, tutor.at(october.last), idAt(october.last), 20n);
  await book(subject, tutor, ids.november, 30n);
  return ids;
}

interface RandomCall {
  readonly whose: Operations;
  readonly cost: bigint;
  readonly daysAgo: number;
  readonly isCorrected: boolean;
}

const randomCall: fc.Arbitrary<RandomCall> = fc.record({
  whose: fc.constantFrom(search, tutor, tutor.as({ userId: 'bob' })),
  cost: fc.bigInt({ min: 0n, max: 9n }),
  daysAgo: fc.integer({ min: 0, max: 70 }),
  isCorrected: fc.boolean(),
});

async function callOnce(subject: Subject, index: number, call: RandomCall) {
  const at = noonMs - call.daysAgo * dayMs + index;
  const whose = call.whose.at(at);
  await book(subject, whose, idAt(at), call.cost);
  if (call.isCorrected) await subject.commit([whose.correct(idAt(at), call.cost + 1n)]);
}

async function book(subject: Subject, whose: Operations, callId: string, cost: bigint) {
  const results = await subject.commit([whose.reserve(callId, cost), whose.settle(callId, cost)]);
  for (const result of results) expect(result).toMatchObject({ ok: true });
}

function idAt(epochMs: number): string {
  return firstCallIdAt(epochMs).padEnd(31, '0');
}

/** A store whose one write fails: before it has an effect, or after. */
function failing(store: Store, at: { atWrite: number; isAfter: boolean }): Store {
  let writes = 0;
  return {
    ...store,
    async write(statements) {
      writes += 1;
      if (writes !== at.atWrite) return store.write(statements);
      if (at.isAfter) await store.write(statements);
      throw new StoreError('the process was killed here');
    },
  };
}

function onlyStoreError(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error;
}

function withoutCalls({ calls, ...rest }: LedgerRows) {
  return rest;
}

function adminOn(store: Store, nowMs = noonMs): AdminContext {
  const clock = { ...systemClock, now: () => nowMs };
  const { clock: _serverClock, ...own } = store;
  const ids = createIds(clock);
  return createAdminContext({
    ...{ store: own, clock, ids, company: 'acme', adminEmail: undefined, actor: 'test' },
  });
}
