import { describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { formatUsd, parseUsd } from '../../src/lib/money.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { findProblems } from '../../src/operations/health/problems.ts';
import { readCurves } from '../../src/operations/reports/day-forecast.ts';
import { readToday, type Today } from '../../src/operations/reports/overview.ts';
import { refusalsOfApp } from '../../src/operations/reports/refusals.ts';
import { usageOfAll, usageOfApp } from '../../src/operations/reports/usage.ts';
import { markHour, selectHourMarks } from '../../src/store/queries/usage-marks.ts';
import { chatOf } from '../support/exchange.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

/** So midnight comes within a test. */
const day = '2026-11-23';
const startMs = Date.parse(`${day}T23:58:00Z`);

describe.each(storeKinds)('Today on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
adminEmail: admin@acme.example
store: ${store}
platforms:
  sandbox: { kind: simulator }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "0.0000001" }
  - { name: free }
`;
    return withApps(await openStack({ yaml, hasConsole: true, startMs }));
  });

  test('equals usage, and counts rejections', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    for (const app of ['search', 'search', 'free']) {
      expect((await stack.post(app, '/v1/chat', chatOf('sim-echo'))).status).toBe(200);
    }
    const refused = await stack.post('tutor', '/v1/chat', chatOf('sim-echo'));
    expect(refused.status).toBe(429);
    const response: unknown = await refused.json();
    expect((await stack.post('tutor', '/v1/chat', { secret: 'of a prompt' })).status).toBe(400);
    await clock.advance(10_500);

    const today = await read();
    const usage = await clock.run(usageOfAll(admin, undefined));
    expect(today.apps.map(({ app }) => app)).toEqual(['free', 'search', 'tutor']);
    for (const app of today.apps) {
      const { budget, totals } = usage.find((one) => one.app === app.app) ?? expect.fail();
      expect(app).toMatchObject({
        ...{ spentUsd: totals.costUsd, calls: totals.calls, errors: totals.errors },
        ...{ capUsd: budget?.capUsd ?? null, leftUsd: budget?.remainingUsd ?? null },
      });
    }
    const sum = today.apps.reduce((all, { spentUsd }) => all + (parseUsd(spentUsd) ?? 0n), 0n);
    expect(today.totals).toMatchObject({ spentUsd: formatUsd(sum), calls: 3, refused: 2 });
    expectSums(today);
    expect(today).toMatchObject({ running: 0, yesterday: null });
    expect(today.hours[23]).toMatchObject({ spentUsd: formatUsd(sum), calls: 3, refused: 2 });
    expect(today.forecast).toEqual([{ hour: 24, spentUsd: byMidnight(today) }]);
    expect(today.models).toEqual([
      { model: 'sim-echo', spentUsd: formatUsd(sum), calls: 3, errors: 0 },
    ]);
    expect(today.otherModels).toBeNull();
    expect(today).toMatchObject({ hasCalls: true, lastCall: expect.stringMatching(/^call_/) });

    const message = expect.stringContaining(
      'Budget exceeded: the app has a daily budget of $0.0000001',
    );
    expect(response).toMatchObject({ error: { message } });
    const id = refused.headers.get('x-request-id');
    const ofBudget = { app: 'tutor', code: 'BUDGET_EXCEEDED', count: 1, lastMessage: message };
    expect(today.refusals).toMatchObject([
      { ...ofBudget, lastRequestId: id },
      { app: 'tutor', code: 'INVALID', lastMessage: 'the body or a header failed validation' },
    ]);
    expect(await clock.run(refusalsOfApp(admin, 'tutor', 24))).toEqual(today.refusals);
    expect(today.refusedToday).toEqual(today.refusals.map(({ at: _, ...rest }) => rest));
  });

  test('reads one statement a table, however many apps there are', async () => {
    const { stack, newApp } = shared();
    const { admin, clock } = stack;
    let reads = 0;
    const counted: typeof admin.store = {
      ...admin.store,
      readForOperator(query) {
        reads += 1;
        return admin.store.readForOperator(query);
      },
    };
    for (let n = 0; n < 20; n++) await newApp({});
    const curves = await clock.run(readCurves(admin));
    const context = { ...admin, store: counted };
    const { apps } = await clock.run(readToday(context, { apps: undefined, curves }));
    expect(apps).toHaveLength(23);
    expect(reads).toBe(13);
  });

  test('a team sees only its own apps', async () => {
    const today = await read(['free']);
    expect(today.apps.map(({ app }) => app)).toEqual(['free']);
    expect(today.totals.calls).toBe(1);
    expect(today.refusals).toEqual([]);
    expect(today.refusedToday).toEqual([]);
    expectSums(today);
    expect(today.models).toMatchObject([{ model: 'sim-echo', calls: 1 }]);
    expect(await read([])).toMatchObject({ models: [], forecast: [], running: 0 });
    expect(await read([])).toMatchObject({ apps: [], hasCalls: false, lastCall: null });
  });

  test('adds rejections to the row of their hour', async () => {
    const { stack } = shared();
    await stack.post('tutor', '/v1/chat', chatOf('sim-echo'));
    await stack.clock.advance(10_500);
    const [row] = await stack.clock.run(refusalsOfApp(stack.admin, 'tutor', 1));
    expect(row).toMatchObject({ code: 'BUDGET_EXCEEDED', count: 2 });
    const { refusedToday } = await read();
    expect(refusedToday.map(({ code, count }) => [code, count])).toEqual([
      ['BUDGET_EXCEEDED', 2],
      ['INVALID', 1],
    ]);
    expect(refusedToday[0]).toMatchObject({ lastRequestId: row?.lastRequestId });
  });

  test('counts no call for the closing of a day', async () => {
    const { stack, newApp } = shared();
    const { admin, clock } = stack;
    const name = await newApp({ dailyBudgetPicoUsd: 10n ** 12n });
    const { totals } = await read();
    const closing = { app: name, day: undefined, picoUsd: undefined };
    await clock.run(closeDays(admin, closing));
    const today = await read();
    const of = today.apps.find(({ app }) => app === name);
    expect(of).toMatchObject({ spentUsd: '1', calls: 0, errors: 0 });
    expect(today.totals).toMatchObject({ calls: totals.calls, errors: totals.errors });
    expectSums(today);
    const lost = { model: 'lost calls', spentUsd: '1', calls: 0, errors: 0 };
    expect(today.models).toContainEqual(lost);
    const usage = await clock.run(usageOfApp(admin, name, undefined));
    expect(usage.totals).toMatchObject({ calls: 0, errors: 0, costUsd: '1' });
    expect(usage.history).toMatchObject([{ calls: 0, costUsd: '1' }]);
  });

  test('stores since when a budget is used up, until its limit is raised', async () => {
    const { stack } = shared();
    const { admin, clock, store } = stack;
    const spent = (await read()).apps.find(({ app }) => app === 'search')?.spentUsd;
    const cost = parseUsd(spent ?? '') ?? expect.fail('nothing is spent');
    const setCap = (cap: bigint) => {
      const sql = "update budget_day set cap = $1 where app = 'search'";
      return clock.run(store.write([{ sql, values: [cap] }]));
    };
    const since = async () => (await read()).apps.find(({ app }) => app === 'search');
    const readUsedUpSince = async () =>
      (await since())?.usedUpSince ?? expect.fail('it is not stored');
    await setCap(cost);
    expect(await since()).toMatchObject({ usedUpSince: null, forecast: { exhaustedAt: null } });
    const before = clock.now();
    await clock.advance(10_500);
    const first = await readUsedUpSince();
    expect(Date.parse(first)).toBeGreaterThan(before);
    await clock.advance(10_500);
    expect(await since()).toMatchObject({ usedUpSince: first, forecast: { exhaustedAt: first } });
    await setCap(cost + 1n);
    await clock.advance(10_500);
    expect(await since()).toMatchObject({ usedUpSince: null });
    await setCap(cost);
    await clock.advance(10_500);
    const again = await readUsedUpSince();
    expect(Date.parse(again)).toBeGreaterThan(Date.parse(first));
    await clock.run(updateApp(admin, 'search', { enabled: false }));
    expect(await since()).toMatchObject({ usedUpSince: again, forecast: { exhaustedAt: null } });
  });

  test('finds the items that need an operator', async () => {
    const { stack } = shared();
    const { admin, clock, config } = stack;
    const catalog = createCatalog({ ...config, shipped: [], clock });
    const live = {
      ...{ instanceId: 'one', version: '1', configHash: 'a' },
      circuits: () => ({
        platforms: [],
        circuits: [{ platform: 'sandbox', model: 'm', state: 'open' as const }],
      }),
      platforms: () => [{ name: 'sandbox', state: 'forbidden', problem: 'it refuses the key' }],
      url: () => undefined,
      setUrl: () => undefined,
      load: () => expect.fail('it is not asked for'),
    };
    const { problems, replicas } = await clock.run(findProblems(admin, { config, catalog, live }));
    expect(replicas).toBe(1);
    expect(problems).toMatchObject([
      { kind: 'circuit', text: expect.stringContaining('m on sandbox') },
      { kind: 'platform', text: 'it refuses the key' },
    ]);
  });

  test('records the total of a day at its end', async () => {
    const { stack } = shared();
    const { admin, clock, store } = stack;
    await clock.advance(70_000);
    const rows = await clock.run(
      store.read({
        sql: "select day, hour, calls from usage_mark where app = 'search' order by day, hour",
        values: [],
        map: (all) => all.map((row) => [row.day, Number(row.hour), Number(row.calls)]),
      }),
    );
    expect(rows).toEqual([[day, 24, 2]]);
    // Without a call of its apps, a reader still sees that the hour was recorded.
    const noted = await clock.run(store.read(selectHourMarks(['2026-11-22', day], ['tutor'])));
    expect(noted).toEqual([{ day, hour: 24, calls: 0, errors: 0, cost: 0n }]);
    expect((await read()).hours).toMatchObject([{ hour: 0, spentUsd: '0', calls: 0 }]);
    // Another replica records it too, a little later.
    await clock.run(store.write([markHour(day, 24)]));
    const curves = await clock.run(readCurves(admin));
    expect(curves.of('search')).toMatchObject([{ hour: 24, days: 1 }]);
  });

  async function read(apps?: readonly string[]) {
    const { admin, clock } = shared().stack;
    const curves = await clock.run(readCurves(admin));
    return clock.run(readToday(admin, { apps, curves }));
  }
});

/** Hours and models are parts of the totals. */
function expectSums({ totals, hours, models }: Today) {
  const sum = (texts: readonly { readonly spentUsd: string }[]) =>
    formatUsd(texts.reduce((all, { spentUsd }) => all + (parseUsd(spentUsd) ?? 0n), 0n));
  expect([sum(hours), sum(models)]).toEqual([totals.spentUsd, totals.spentUsd]);
  for (const name of ['calls', 'errors', 'refused'] as const) {
    expect(hours.reduce((all, hour) => all + hour[name], 0)).toBe(totals[name]);
  }
}

function byMidnight({ apps }: Today): string {
  const sum = apps.reduce((all, app) => all + (parseUsd(app.forecast.endOfDayUsd) ?? 0n), 0n);
  return formatUsd(sum);
}
