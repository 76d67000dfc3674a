import { afterAll, describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { reopenDay } from '../../src/operations/days/reopen.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { selectBudgets } from '../../src/store/queries/budgets.ts';
import { chatOf } from '../support/exchange.ts';
import { storeKinds } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';
import { ask, type CappedRoute, mostOf, openCapped } from './support/caps.ts';
import { scopeRows } from './support/scope-rows.ts';

const day = '2026-11-30';
const month = '2026-11';
const lastSecond = Date.UTC(2026, 10, 30, 23, 59, 59);
const dollar = 10n ** 12n;

/** A call of 2 s. */
const slow: CappedRoute = {
  ...{ path: '/v1/chat', status: 429 },
  body: (maxTokens) => chatOf('sim-slow', { maxTokens, userId: 'ada' }),
};
const tokens = 100;
const one = mostOf(slow, tokens);
const cost = 6_000_000n;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);
  let labs = 0;

  /** An app with room for exactly one call in every budget. Its key also has budgets. */
  async function cappedApp(cap = one) {
    const { stack, newApp } = shared();
    const { admin, clock, service } = stack;
    const app = await newApp();
    const lab = `lab-${labs++}`;
    const both = { dailyPicoUsd: cap, monthlyPicoUsd: cap };
    const set = async () => {
      await updateApp(admin, app, { monthlyBudgetPicoUsd: cap, perUserDailyPicoUsd: cap });
      await setBudget(admin, lab, { apps: [app], ...both }, []);
      return issueKey(admin, { app, email: 'team@acme.example', limits: both });
    };
    stack.clock.set(lastSecond - 60_000);
    const { key, id } = await clock.run(set());
    await clock.run(service.registry.refresh());
    const rows = async () => [
      ...(await scopeRows(stack.store, app)),
      ...(await scopeRows(stack.store, lab)),
      ...(await scopeRows(stack.store, id)),
    ];
    return { stack, app, lab, key, id, rows };
  }

  /** Sends a call, for which no time passes until the clock runs. */
  function begin({ stack, key }: { readonly stack: Stack; readonly key: string }) {
    return stack.fetch(`http://gateway.test${slow.path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(slow.body(tokens)),
    });
  }

  async function ended({ clock }: Stack, calls: readonly Promise<Response>[]) {
    return (await clock.run(Promise.all(calls))).map(({ status }) => status);
  }

  /** The amounts of each budget in a day and its month. */
  function inAll(of: { app: string; lab: string; id: string }, at: string, amounts: object) {
    const ofMonth = at.slice(0, 'YYYY-MM'.length);
    const keys = [
      ...[`app:${of.app}@${ofMonth}`, `user:${of.app}:ada@${at}`],
      ...[`group:${of.lab}@${ofMonth}`, `group:${of.lab}@${at}`],
      ...[`key:${of.id}@${ofMonth}`, `key:${of.id}@${at}`],
    ];
    return keys.map((key) => ({ key, ...amounts }));
  }

  test('open calls settle in the day and the month in which they began', async () => {
    const on = await cappedApp();
    const { stack, rows } = on;
    stack.clock.set(lastSecond);
    const before = begin(on);
    await stack.clock.settle();
    expect(await rows()).toEqual(expect.arrayContaining(inAll(on, day, { spent: 0n, held: one })));
    stack.clock.set(lastSecond + 1_000);
    const after = begin(on);
    await stack.clock.settle();
    // The second row has all of December. The first still has November's.
    expect(await rows()).toEqual(
      expect.arrayContaining([
        ...inAll(on, day, { spent: 0n, held: one }),
        ...inAll(on, '2026-12-01', { spent: 0n, held: one }),
      ]),
    );
    expect(await ended(stack, [before, after])).toEqual([200, 200]);
    const settled = (await rows()).filter(({ spent }) => spent > 0n);
    expect(settled).toHaveLength(12);
    expect(settled).toEqual(
      expect.arrayContaining([
        ...inAll(on, day, { spent: cost, held: 0n }),
        ...inAll(on, '2026-12-01', { spent: cost, held: 0n }),
      ]),
    );
  });

  test('a budget set after midnight does not include calls of the month before', async () => {
    const on = await cappedApp(dollar);
    const { stack } = on;
    const { admin, clock } = stack;
    clock.set(lastSecond);
    const before = begin(on);
    await clock.settle();
    clock.set(lastSecond + 15 * 60_000);
    const set = setBudget(admin, `${on.lab}-late`, { apps: [on.app], monthlyPicoUsd: one }, []);
    await clock.settle();
    expect(await set).toMatchObject([{ period: '2026-12', spentUsd: '0', heldUsd: '0' }]);
    const after = begin(on);
    await clock.settle();
    expect(await ended(stack, [before, after])).toEqual([200, 200]);
    const late = await scopeRows(stack.store, `${on.lab}-late`);
    expect(late.filter(({ spent }) => spent > 0n)).toEqual([
      { key: `group:${on.lab}-late@2026-12`, spent: cost, held: 0n },
    ]);
  });

  test('the last day is closed afterwards in its own month, and reopened', async () => {
    const on = await cappedApp(50n * dollar);
    const { stack, app, lab, key } = on;
    const { admin, clock } = stack;
    clock.set(lastSecond + 60_000);
    const closing = { app, day, picoUsd: undefined };
    const closed = await clock.run(closeDays(admin, closing));
    expect(closed).toMatchObject([{ app, day, bookedUsd: '5' }]);
    const spentIn = async () => {
      const rows = [
        ...(await scopeRows(stack.store, `group:${lab}`)),
        ...(await scopeRows(stack.store, `app:${app}`)),
      ];
      return rows.filter(({ spent }) => spent > 0n).map((row) => row.key);
    };
    expect(await spentIn()).toEqual([
      ...[`group:${lab}@${month}`, `group:${lab}@${day}`, `app:${app}@${month}`],
    ]);
    // The new month has its full budgets.
    expect((await ask(on, slow, tokens, key)).status).toBe(200);
    await clock.run(reopenDay(admin, { app, day }));
    expect(await spentIn()).toEqual([
      ...[`group:${lab}@2026-12`, `group:${lab}@2026-12-01`, `app:${app}@2026-12`],
    ]);
  });

  test('a day that is closed next to a running service uses up its group’s budget', async () => {
    const on = await cappedApp(dollar);
    const { stack, app, key } = on;
    const { admin, clock } = stack;
    const { newApp } = shared();
    const other = await newApp();
    clock.set(Date.UTC(2026, 10, 30, 12));
    const both = { apps: [app, other], dailyPicoUsd: 5n * dollar };
    await clock.run(setBudget(admin, `both-${app}`, both, []));
    const ofOther = { stack, app: other };
    await stack.key(other);
    expect((await ask(ofOther, slow, tokens)).status).toBe(200);
    // The month of the app, its group and its users have less than the booked cost.
    const closed = await clock.run(closeDays(admin, { app, day, picoUsd: undefined }));
    expect(closed).toMatchObject([{ bookedUsd: '5' }]);
    const refused = await ask(ofOther, slow, tokens);
    expect(refused.headers.get('x-budget-scope')).toBe(`group-day:both-${app}`);
    expect((await ask(on, slow, tokens, key)).status).toBe(429);
    await clock.run(reopenDay(admin, { app, day }));
    expect((await ask(ofOther, slow, tokens)).status).toBe(200);
    expect((await ask(on, slow, tokens, key)).status).toBe(200);
  });

  test('a closing is decided again if budgets change, or abandoned', async () => {
    const { stack, newApp } = shared();
    const { admin, clock, store } = stack;
    clock.set(Date.UTC(2026, 10, 30, 12));
    const app = await newApp();
    let changes = 1;
    /** Another operator changes a budget after each read. */
    const read: typeof store.read = async (query) => {
      const answer = await store.read(query);
      if (query.sql === selectBudgets.sql && changes > 0) {
        changes -= 1;
        const cap = { apps: [app], dailyPicoUsd: 100n * dollar + BigInt(changes) };
        await setBudget(admin, `moving-${app}`, cap, []);
      }
      return answer;
    };
    const late = { ...admin, store: { ...store, read } };
    const closing = { app, day, picoUsd: undefined };
    expect(await clock.run(closeDays(late, closing))).toMatchObject([{ bookedUsd: '5' }]);
    expect(await scopeRows(store, `moving-${app}`)).toContainEqual({
      ...{ key: `group:moving-${app}@${day}`, spent: 5n * dollar, held: 0n },
    });
    await clock.run(reopenDay(admin, { app, day }));
    changes = 100;
    await expect(clock.run(closeDays(late, closing))).rejects.toThrow(
      /too many concurrent changes/,
    );
    expect(changes).toBe(95);
    expect(await scopeRows(store, `moving-${app}`)).toContainEqual({
      ...{ key: `group:moving-${app}@${day}`, spent: 0n, held: 0n },
    });
  });

  afterAll(async () => {
    expect(await shared().stack.audit()).toMatchObject({ clean: true });
  });
});
