import assert from 'node:assert';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock, utcDayOf, utcMonthOf } from '../../src/lib/clock.ts';
import { createApp, findApp, updateApp } from '../../src/operations/apps/apps.ts';
import {
  listBudgets,
  removeBudget,
  setBudget,
  showBudget,
} from '../../src/operations/budgets/budgets.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudgetsRevision } from '../../src/store/queries/budgets.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { optionalText, text } from '../../src/store/schema/columns.ts';
import { loadMigrations, pendingMigrations } from '../../src/store/schema/migrations.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, openReplica } from '../store/support/books.ts';
import { ledgerOn, reservation, settlement } from '../store/support/load.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const dollar = 10n ** 12n;
const both = { apps: ['search', 'tutor'] } as const;

describe.each(['sqlite', 'postgres'] as const)('a budget on %s', (kind) => {
  async function open() {
    const store: Store =
      kind === 'sqlite' ? openDirectStore(':memory:') : await openReplica(await server.database());
    onTestFinished(() => store.close());
    const admin = adminOn(store);
    for (const name of ['search', 'tutor', 'other']) await createApp(admin, name, {});
    const ledger = ledgerOn(store);
    const set = (settings: Parameters<typeof setBudget>[2]) =>
      setBudget(admin, 'research', settings, []);
    /** Reserves this amount for an app, without a definition. */
    const hold = async (app: string, amount: bigint) => {
      const settings = {
        ...reservation({ app, amount }),
        budgetsRevision: await store.read(selectBudgetsRevision),
      };
      const outcome = await ledger.reserve(settings, () => false);
      expect(outcome).toEqual({ kind: 'reserved' });
      return settings;
    };
    const spend = async (app: string, cost: bigint) =>
      ledger.settle(settlement(await hold(app, cost), cost));
    return { store, admin, ledger, set, hold, spend };
  }

  async function clean({ store }: Pick<AdminContext, 'store'>) {
    const { checks } = await audit(store, systemClock.now());
    return checks.filter((check) => !check.ok).map(({ id }) => id);
  }

  const scopesOf = (store: Store, callId: string) =>
    store.read({
      sql: 'select scopes from hold where call_id = $1',
      values: [callId],
      map: ([row]) => row && optionalText(row, 'scopes'),
    });

  test('carries over its apps’ spend, and includes the running calls', async () => {
    const { store, admin, ledger, set, hold, spend } = await open();
    await spend('search', 3n * dollar);
    await spend('tutor', dollar);
    await spend('other', 50n * dollar);
    const running = await hold('tutor', 2n * dollar);
    const others = await hold('other', 2n * dollar);
    const [day, month] = await set({
      ...both,
      dailyPicoUsd: 10n * dollar,
      monthlyPicoUsd: 90n * dollar,
    });
    expect(day).toMatchObject({
      spentUsd: '4',
      carriedOverUsd: '4',
      heldUsd: '2',
      remainingUsd: '4',
    });
    expect(month).toMatchObject({
      spentUsd: '4',
      carriedOverUsd: '4',
      heldUsd: '2',
      remainingUsd: '84',
    });
    const now = systemClock.now();
    expect(await scopesOf(store, running.facts.callId)).toBe(
      `["group:research@${utcDayOf(now)}","group:research@${utcMonthOf(now)}"]`,
    );
    expect(await scopesOf(store, others.facts.callId)).toBeUndefined();
    expect(await clean({ store })).toEqual([]);
    await ledger.settle(settlement(running, dollar));
    expect(await showBudget(admin, 'research')).toMatchObject([
      { span: 'day', spentUsd: '5', carriedOverUsd: '4', heldUsd: '0' },
      { span: 'month', spentUsd: '5', carriedOverUsd: '4', heldUsd: '0' },
    ]);
    expect(await clean({ store })).toEqual([]);
  });

  test('keeps its reservations under another limit, and counts what other apps bring', async () => {
    const { store, admin, ledger, set, hold, spend } = await open();
    await set({ apps: ['search'], dailyPicoUsd: 10n * dollar });
    const own = await hold('search', dollar);
    await ledger.settle(settlement(own, dollar));
    await spend('tutor', 2n * dollar);
    const running = await hold('tutor', 3n * dollar);
    expect(await set({ dailyPicoUsd: dollar })).toMatchObject([
      { capUsd: '1', heldUsd: '0', apps: ['search'] },
    ]);
    const [grown] = await set(both);
    expect(grown).toMatchObject({ capUsd: '1', heldUsd: '3', remainingUsd: '0' });
    assert(grown !== undefined);
    const [again] = await set({ apps: 'all' });
    expect(again).toMatchObject({ spentUsd: grown.spentUsd, heldUsd: '3' });
    await ledger.settle(settlement(running, 3n * dollar));
    const [reduced] = await set({ apps: ['search'] });
    expect(reduced).toMatchObject({ apps: ['search'], heldUsd: '0' });
    expect(await clean({ store })).toEqual([]);
    await removeBudget(admin, 'research');
    expect(await listBudgets(admin)).toEqual([]);
    const [reset] = await set({ ...both, dailyPicoUsd: 20n * dollar });
    expect(reset).toMatchObject({ spentUsd: '6', heldUsd: '0', remainingUsd: '14' });
    expect(await clean({ store })).toEqual([]);
  });

  test('of all apps, and of one app only, is recounted without reading a call', async () => {
    const { store, admin, ledger, set, hold, spend } = await open();
    await spend('tutor', 2n * dollar);
    const running = await hold('search', dollar);
    const month = { monthlyBudgetPicoUsd: 9n * dollar };
    await updateApp(admin, 'search', month);
    await set({ apps: 'all', dailyPicoUsd: 10n * dollar });
    await ledger.settle(settlement(running, dollar));
    // As if there were too many calls to read in time.
    await store.write([{ sql: 'delete from call', values: [] }]);
    await removeBudget(admin, 'research');
    await updateApp(admin, 'search', { monthlyBudgetPicoUsd: undefined });
    await updateApp(admin, 'search', month);
    const reset = await set({ apps: 'all', dailyPicoUsd: 10n * dollar });
    expect(reset).toMatchObject([{ spentUsd: '3', carriedOverUsd: '2', heldUsd: '0' }]);
    expect(await showBudget(admin, 'app:search')).toMatchObject([
      { spentUsd: '1', carriedOverUsd: '0' },
    ]);
  });

  test("of an app's month is a setting of the app, and so is that of its users", async () => {
    const { store, admin, spend } = await open();
    await spend('search', 3n * dollar);
    await updateApp(admin, 'search', {
      ...{ monthlyBudgetPicoUsd: 100n * dollar, perUserDailyPicoUsd: dollar },
    });
    expect(await findApp(admin, 'search')).toMatchObject({
      ...{ monthlyBudgetUsd: '100', perUserDailyUsd: '1', dailyBudgetUsd: null },
    });
    expect(await showBudget(admin, 'app:search')).toMatchObject([
      { name: 'app:search', span: 'month', spentUsd: '3', carriedOverUsd: '3', apps: null },
    ]);
    expect(await showBudget(admin, 'users:search')).toMatchObject([
      { name: 'users:search', span: 'day', capUsd: '1', users: 0, remainingUsd: null },
    ]);
    await updateApp(admin, 'search', { perUserDailyPicoUsd: undefined });
    expect((await listBudgets(admin)).map(({ name }) => name)).toEqual(['app:search']);
    expect(await clean({ store })).toEqual([]);
  });

  test('pays for bookings by the closing of a day, also beyond its limit', async () => {
    const { store, admin, set, spend } = await open();
    await updateApp(admin, 'search', { dailyBudgetPicoUsd: 10n * dollar });
    await spend('tutor', 3n * dollar);
    await set({ ...both, dailyPicoUsd: 4n * dollar });
    const close = (reference: string, picoUsd: bigint) =>
      closeDays(admin, { app: 'search', day: undefined, picoUsd, reference });
    await close('invoice-1', 6n * dollar);
    expect(await showBudget(admin, 'research')).toMatchObject([{ spentUsd: '9', heldUsd: '0' }]);
    await close('invoice-2', 2n * dollar);
    expect(await showBudget(admin, 'research')).toMatchObject([{ spentUsd: '11', heldUsd: '0' }]);
    expect(await clean({ store })).toEqual([]);
  });

  test('is rejected while an instance of an older version is alive, which is named', async () => {
    const { store, admin, set } = await open();
    const now = systemClock.now();
    const older = { id: 'instance_old', seenAt: now, configHash: 'x', schemaVersion: undefined };
    await store.write([seen(older), seen({ ...older, id: 'instance_new', schemaVersion: 19 })]);
    const refusal = /^nothing was changed: instance_old runs an older version that supports only/;
    await expect(set({ ...both, dailyPicoUsd: dollar })).rejects.toThrow(refusal);
    const limits = { dailyPicoUsd: dollar };
    const issuing = issueKey(admin, { app: 'search', email: 'a@b.example', limits });
    await expect(issuing).rejects.toThrow(refusal);
    expect(await listBudgets(admin)).toEqual([]);
    expect(await mayStart(store, 18)).toBe(true);

    await store.write([seen({ ...older, seenAt: now - 10_000 })]);
    await set({ ...both, dailyPicoUsd: dollar });
    // From the first budget on, no older instance may start on the store.
    expect(await mayStart(store, 18)).toBe(false);
    expect(await mayStart(store, 19)).toBe(true);
  });

  async function mayStart(store: Store, newest: number): Promise<boolean> {
    const known = loadMigrations(kind).filter(({ version }) => version <= newest);
    const applied = await store.read({
      sql: 'select * from schema_migration',
      values: [],
      map: (rows) => rows,
    });
    try {
      return pendingMigrations(known, applied).length === 0;
    } catch {
      // A store that is newer than the service supports.
      return false;
    }
  }

  test('has a line in the audit log for each change', async () => {
    const { store, admin, set } = await open();
    await set({ ...both, dailyPicoUsd: dollar });
    await set({ mode: 'shadow', isVisible: true });
    await set({ mode: 'shadow' });
    await removeBudget(admin, 'research');
    const lines = await store.read({
      sql: "select * from audit_log where action like 'budget.%' order by id",
      values: [],
      map: (rows) =>
        rows.map((row) => [text(row, 'action'), text(row, 'subject'), row.after_value]),
    });
    const budgetWith = (mode: string, visible: boolean) =>
      `{"capUsd":"1","mode":"${mode}","visible":${visible},"apps":["search","tutor"]}`;
    // Lines of one millisecond have no order.
    expect(lines.toSorted()).toEqual(
      [
        ['budget.set', 'group:research day', budgetWith('enforce', false)],
        ['budget.set', 'group:research day', budgetWith('shadow', true)],
        ['budget.remove', 'group:research day', null],
      ].toSorted(),
    );
  });

  test('that is not possible is rejected with its requirement', async () => {
    const { admin, set } = await open();
    await expect(set({ dailyPicoUsd: dollar })).rejects.toThrow(/is new; specify its apps, or all/);
    await expect(set({ apps: 'all' })).rejects.toThrow(/would have no cap/);
    const over = (apps: readonly string[]) => set({ apps, dailyPicoUsd: dollar });
    await expect(over(['search', 'tuter'])).rejects.toThrow(
      'the app "tuter" does not exist; did you mean "tutor"?',
    );
    await expect(showBudget(admin, 'nobody')).rejects.toThrow(/unknown budget nobody/);
    await expect(setBudget(admin, 'No', { apps: 'all' }, [])).rejects.toThrow(
      /is not a valid name for/,
    );
    const declared = [{ name: 'research' }];
    const early = setBudget(admin, 'research', { ...both, dailyPicoUsd: dollar }, declared);
    await expect(early).rejects.toThrow(/not yet created/);
  });
});
