import { afterEach, describe, expect, test } from 'vitest';
import { createRuns } from '../../src/calls/runs/runs.ts';
import { isoSeconds } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { setBudget } from '../../src/operations/budgets/budgets.ts';
import { reopenBudget } from '../../src/operations/budgets/operations.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { reopenAll } from '../../src/operations/days/reopen.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { usageOfApp } from '../../src/operations/reports/usage.ts';
import { reopenWallets } from '../../src/operations/wallets/wallets.ts';
import { selectBudgetsRevision } from '../../src/store/queries/budgets.ts';
import { deleteInstance, seen } from '../../src/store/queries/instances.ts';
import { restoresSince } from '../../src/store/queries/restores.ts';
import { scrape } from '../observe/support/scrape.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { ask, caps, chat, groupDay, openCapped, quoteOf, resetMs, routes } from './support/caps.ts';

const dollar = 10n ** 12n;
const tokens = 100;
const dayMs = 86_400_000;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);

  /** An app without a daily budget: a booking on its day would reject the same calls. */
  async function openApp(settings: Parameters<ReturnType<typeof shared>['newApp']>[0] = {}) {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: undefined, ...settings });
    return { stack, app };
  }

  /** The effect of `days close --all` after a restore. Only the store notifies the replicas. */
  async function restore() {
    const { admin, clock } = shared().stack;
    await clock.run(closeDays(admin, { app: undefined, day: undefined, picoUsd: undefined }));
    return isoSeconds(clock.now());
  }

  const refresh = () => shared().stack.clock.run(shared().stack.service.registry.refresh());

  afterEach(async () => {
    const { admin, clock } = shared().stack;
    await clock.run(reopenAll(admin, undefined).catch(() => undefined));
    await clock.run(reopenWallets(admin).catch(() => undefined));
    await refresh();
    expect(await shared().stack.audit()).toMatchObject({ clean: true });
  });

  describe.each(caps)('a budget of a $span, %#', (cap) => {
    test('is closed by a restore for its period, until it is reopened', async () => {
      const on = await openApp();
      const key = await cap.set(on, dollar);
      await refresh();
      const { stack, app } = on;
      const used = await ask(on, chat, tokens, key);
      expect(used.status).toBe(200);
      // The replica notices the restore when its next call is rejected for the older revision.
      const restoredAt = await restore();
      const refused = await ask(on, chat, tokens, key);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('x-budget-scope')).toBe(cap.header(app));
      const now = stack.clock.now();
      expect(refused.headers.get('retry-after')).toBe(`${(resetMs(cap, now) - now) / 1_000}`);
      expect(refused.text).toContain(`is closed because the store was restored at ${restoredAt}`);
      expect(refused.text).toMatch(/An operator can open it with \\"budgets reopen [\w:-]+\\"/);
      const quote = JSON.parse((await ask(on, quoteOf(chat), tokens, key)).text);
      expect(quote).toMatchObject({ fits: false, code: 'BUDGET_EXCEEDED', maxTokensThatFit: 0 });
      expect(quote.binding).toBe(cap.header(app));
      const [name = ''] = /reopen ([\w:-]+)/.exec(refused.text)?.slice(1) ?? [];
      const opened = await stack.clock.run(reopenBudget(stack.admin, name));
      expect(opened.map(({ closedAt }) => closedAt)).toEqual(opened.map(() => null));
      expect((await ask(on, chat, tokens, key)).status).toBe(200);
      // A later restore also closes the budgets that were reopened after an earlier restore.
      await restore();
      expect((await ask(on, chat, tokens, key)).status).toBe(429);
      const { budgets } = await stack.clock.run(reopenAll(stack.admin, undefined));
      expect(budgets).toContainEqual(expect.objectContaining({ span: cap.span, closedAt: null }));
      expect((await ask(on, chat, tokens, key)).status).toBe(200);
    });

    test('whose first row is created after the restore is also closed', async () => {
      const on = await openApp();
      const key = await cap.set(on, dollar);
      await restore();
      expect((await ask(on, chat, tokens, key)).status).toBe(429);
      await on.stack.clock.run(reopenAll(on.stack.admin, undefined));
      expect((await ask(on, chat, tokens, key)).status).toBe(200);
    });
  });

  test('is rejected on every route with the message and the scope', async () => {
    const on = await openApp();
    await groupDay.set(on, dollar);
    await restore();
    for (const route of routes) {
      const refused = await ask(on, route, tokens);
      expect(refused.status).toBe(route.status);
      expect(refused.headers.get('x-budget-scope')).toBe(groupDay.header(on.app));
      expect(refused.text).toContain('is closed because the store was restored at');
    }
  });

  test('of a later group is closed, and of a later key is not', async () => {
    const on = await openApp();
    const { stack, app } = on;
    const { admin, clock } = stack;
    await restore();
    clock.set(clock.now() + 1_000);
    await clock.run(setBudget(admin, `late-${app}`, { apps: [app], monthlyPicoUsd: dollar }, []));
    const closed = await ask(on, chat, tokens);
    expect(closed.headers.get('x-budget-scope')).toBe(`group-month:late-${app}`);
    await clock.run(reopenBudget(admin, `late-${app}`));
    const limits = { dailyPicoUsd: dollar };
    const { key } = await clock.run(issueKey(admin, { app, email: 'team@acme.example', limits }));
    await refresh();
    expect((await ask(on, chat, tokens, key)).status).toBe(200);
  });

  test('in shadow mode rejects nothing', async () => {
    const on = await openApp();
    const { stack, app } = on;
    const shadow = { apps: [app], dailyPicoUsd: dollar, mode: 'shadow' } as const;
    await setBudget(stack.admin, `shadow-${app}`, shadow, []);
    await restore();
    expect((await ask(on, chat, tokens)).status).toBe(200);
  });

  test('a period that begins after the restore is open', async () => {
    const on = await openApp();
    const { stack } = on;
    await groupDay.set(on, dollar);
    await restore();
    expect((await ask(on, chat, tokens)).status).toBe(429);
    const before = stack.clock.now();
    stack.clock.set(before + dayMs);
    expect((await ask(on, chat, tokens)).status).toBe(200);
    expect(await usageOfApp(stack.admin, on.app, undefined)).not.toHaveProperty(
      'scopes.0.closedAt',
    );
  });

  test('of an earlier run is closed, and of a later run is not', async () => {
    const on = await openApp();
    const { stack, app } = on;
    const { clock } = stack;
    const runs = createRuns({ store: stack.store, clock, ids: createIds(clock) });
    const [, parentKeyId = ''] = (await stack.key(app)).split('_');
    const make = async () => {
      const defaults = { models: undefined, userId: undefined, label: undefined };
      const wanted = { ...defaults, app, parentKeyId, maxCostPicoUsd: dollar };
      const made = await clock.run(runs.make({ ...wanted, expiresInMs: 3_600_000 }));
      if (made.kind !== 'made') throw new Error(`it came to ${made.kind}`);
      return made;
    };
    const early = await make();
    expect((await ask(on, chat, tokens, early.key)).status).toBe(200);
    await restore();
    const refused = await ask(on, chat, tokens, early.key);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-budget-scope')).toBe(`run:${early.run.id}`);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(refused.text).toContain('create another run');
    clock.set(clock.now() + 1_000);
    const late = await make();
    expect((await ask(on, chat, tokens, late.key)).status).toBe(200);
    expect(await clock.run(reopenAll(stack.admin, undefined))).toMatchObject({ runs: 1 });
    expect((await ask(on, chat, tokens, early.key)).status).toBe(200);
  });

  test('wallets of the month are closed until they are reopened, or the month ends', async () => {
    const on = await openApp({
      credits: { monthlyGrantPicoUsd: dollar, picoUsdPerCredit: dollar / 100n },
    });
    const { stack, app } = on;
    const { admin, clock } = stack;
    const headers = { 'x-api-key': await stack.key(app) };
    const credits = async () => {
      const url = 'http://gateway.test/v1/credits/ada';
      return (await clock.run(stack.fetch(new Request(url, { headers })))).json();
    };
    expect((await ask(on, chat, tokens)).status).toBe(200);
    const restoredAt = await restore();
    const refused = await ask(on, chat, tokens);
    expect(refused.status).toBe(402);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'INSUFFICIENT_CREDITS' } });
    expect(refused.text).toContain(
      `The wallet is closed because the store was restored at ${restoredAt}`,
    );
    expect(refused.text).toContain('wallets reopen --all');
    const closedAt = new Date(clock.now()).toISOString();
    expect(await credits()).toMatchObject({ available: '0', closedAt });
    const quote = JSON.parse((await ask(on, quoteOf(chat), tokens)).text);
    expect(quote).toMatchObject({ fits: false, binding: 'wallet', wallet: { available: '0' } });
    // Budgets and wallets are reopened separately.
    await clock.run(reopenAll(admin, undefined));
    expect((await ask(on, chat, tokens)).status).toBe(402);
    await expect(clock.run(reopenAll(admin, undefined))).rejects.toThrow('wallets reopen --all');
    expect(await clock.run(reopenWallets(admin))).toMatchObject({
      apps: expect.arrayContaining([app]),
    });
    expect((await ask(on, chat, tokens)).status).toBe(200);
    expect(await credits()).not.toHaveProperty('closedAt');
    await restore();
    clock.set(Date.UTC(2027, 0, 1));
    expect((await ask(on, chat, tokens)).status).toBe(200);
  });

  test('a response under an idempotency key is replayed', async () => {
    const on = await openApp();
    const { stack, app } = on;
    await groupDay.set(on, dollar);
    await refresh();
    const init = { headers: { 'x-api-key': await stack.key(app), 'idempotency-key': 'once' } };
    const send = () => stack.post(app, chat.path, chat.body(tokens), init);
    expect((await send()).status).toBe(200);
    await restore();
    const again = await send();
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await ask(on, chat, tokens)).status).toBe(429);
  });

  test('usage shows a closed budget with nothing left', async () => {
    const on = await openApp();
    const { stack, app } = on;
    const settings = { apps: [app], dailyPicoUsd: dollar, isVisible: true };
    await setBudget(stack.admin, `seen-${app}`, settings, []);
    await refresh();
    await restore();
    const closedAt = new Date(stack.clock.now()).toISOString();
    expect(await usageOfApp(stack.admin, app, undefined)).toMatchObject({
      scopes: [{ scope: `group-day:seen-${app}`, closedAt, remainingUsd: '0' }],
    });
  });

  test('nothing is closed while a version that ignores closed budgets runs', async () => {
    const on = await openApp();
    const { admin, clock, store } = on.stack;
    await groupDay.set(on, dollar);
    await refresh();
    const old = {
      id: 'old',
      configHash: '',
      seenAt: clock.now(),
      schemaVersion: restoresSince - 1,
    };
    await store.write([seen(old)]);
    const closing = { app: undefined, day: undefined, picoUsd: undefined };
    await expect(clock.run(closeDays(admin, closing))).rejects.toThrow(
      'nothing was closed: old runs a version that ignores closed budgets',
    );
    expect((await ask(on, chat, tokens)).status).toBe(200);
    await store.write([deleteInstance('old')]);
    await restore();
    expect((await ask(on, chat, tokens)).status).toBe(429);
    const compatibleFrom = await store.read({
      sql: 'select max(compatible_from) as since from schema_migration',
      values: [],
      map: ([row]) => row?.since,
    });
    expect(compatibleFrom).toBe(BigInt(restoresSince));
  });

  test('metrics count closed budgets until none is closed', async () => {
    const on = await openApp();
    const { admin, clock } = on.stack;
    const closed = async () => {
      await clock.advance(6_000);
      return (await scrape(on.stack)).value('model_gateway_closed_budgets');
    };
    await groupDay.set(on, dollar);
    expect(await closed()).toBe(0);
    await restore();
    expect(await closed()).toBeGreaterThan(0);
    await clock.run(reopenAll(admin, undefined));
    await clock.run(reopenWallets(admin));
    expect(await closed()).toBe(0);
  });

  test('a restore that closes nothing of an app costs its calls nothing', async () => {
    const on = await openApp();
    const before = await on.stack.store.read(selectBudgetsRevision);
    await restore();
    expect(await on.stack.store.read(selectBudgetsRevision)).toBe(before + 1n);
    expect((await ask(on, chat, tokens)).status).toBe(200);
  });
});
