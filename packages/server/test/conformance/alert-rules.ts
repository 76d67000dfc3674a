import { describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { recordRestore } from '../../src/store/queries/restores.ts';
import { type AlertScene, createAlertScene, hookOf, startAlerts, usd } from './alert-scene.ts';

const noonMs = Date.UTC(2026, 10, 23, 12);
const secondMs = 1_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const today = '2026-11-23';
const month = '2026-11';

/** The data that alert rules read from every store, and their events. */
export function testAlertRules(open: () => Store) {
  const emptied = async () => {
    const scene = createAlertScene(open());
    await scene.empty();
    await scene.app('search');
    return scene;
  };
  describe('thresholds', () => testMarks(emptied));
  describe('other budget events', () => testBudgetEvents(emptied));
  describe('rejections', () => testRefusals(emptied));
  describe('keys and prices', () => testSlow(emptied));
  describe('wallets', () => testWallets(emptied));
  describe('circuits', () => testCircuits(emptied));
}

type Emptied = () => Promise<AlertScene>;

function testMarks(emptied: Emptied) {
  test('each threshold of each budget is reported once, including reservations', async () => {
    const scene = await emptied();
    const use = { cap: 10n * usd, spent: usd, held: 4n * usd };
    await scene.day('search', today, use);
    await scene.scope('app:search', { span: 'month', period: month, ...use, held: 7n * usd });
    await scene.scope('group:all', { span: 'day', period: today, ...use, members: 'all' });
    await scene.run(
      `insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
       values ('k1', 'h1', 'n', 'search', 1, 0)`,
    );
    await scene.scope('key:k1', { span: 'month', period: month, ...use, held: 9n * usd });
    await scene.scope('user:search:mia', { span: 'day', period: today, ...use, held: 9n * usd });
    await scene.run(`update budget_definition set scope = 'users:search' where scope like 'user%'`);
    const one = startAlerts(scene.store);
    const events = await one.events(noonMs);
    expect(events.map((event) => [event.subject, event.period, event.mark, event.apps])).toEqual([
      ['app:search', month, '50', ['search']],
      ['app:search', month, '80', ['search']],
      ['app:search', today, '50', ['search']],
      ['group:all', today, '50', 'all'],
      ['key:k1', month, '100', ['search']],
      ['key:k1', month, '50', ['search']],
      ['key:k1', month, '80', ['search']],
    ]);
    expect(events[3]?.data).toEqual({
      ...{ scope: 'group-day:all', group: 'all', owner: 'the group all', span: 'day' },
      ...{ period: today, mode: 'enforce', capUsd: '10', spentUsd: '1', heldUsd: '4' },
      ...{ usedPercent: 50, percent: 50, resetsAt: '2026-11-24T00:00:00.000Z' },
    });
    expect(await one.round(noonMs + 5 * secondMs)).toEqual([]);
    expect(await startAlerts(scene.store).round(noonMs + 5 * secondMs)).toEqual([]);
  });

  test('a threshold is reported again only after a raise above the use', async () => {
    const scene = await emptied();
    const one = startAlerts(scene.store);
    const steps = [
      { cap: 10, used: 8, told: ['50', '80'] },
      // A call with a large reservation had a low cost, and another call reserves as much.
      { cap: 10, used: 2, told: [] },
      { cap: 10, used: 9, told: [] },
      // Raised, but the use stays above 80 %.
      { cap: 11, used: 9, told: [] },
      { cap: 15, used: 9, told: [] },
      { cap: 15, used: 12, told: ['80'] },
      { cap: 15, used: 15, told: ['100'] },
      // Used up again before the next round.
      { cap: 20, used: 20, told: ['100', '80'] },
      { cap: 10, used: 20, told: [] },
      { cap: 20, used: 20, told: [] },
    ];
    for (const [index, { cap, used, told }] of steps.entries()) {
      await scene.day('search', today, { cap: BigInt(cap) * usd, spent: BigInt(used) * usd });
      const words = await one.round(noonMs + index * 5 * secondMs);
      expect(words.filter((word) => word.startsWith('budget.threshold'))).toEqual(
        told.map((mark) => `budget.threshold app:search ${today} ${mark}`),
      );
    }
  });

  test('a raise while no process ran is noticed by the next', async () => {
    const scene = await emptied();
    await scene.day('search', today, { cap: 10n * usd, spent: 8n * usd });
    await startAlerts(scene.store).round(noonMs);
    await scene.day('search', today, { cap: 20n * usd, spent: 8n * usd });
    const next = startAlerts(scene.store);
    expect(await next.round(noonMs + hourMs)).toEqual([]);
    await scene.day('search', today, { cap: 20n * usd, spent: 16n * usd });
    const marks = ['50', '80'].map((mark) => `budget.threshold app:search ${today} ${mark}`);
    expect(await next.round(noonMs + hourMs + 5 * secondMs)).toEqual(expect.arrayContaining(marks));
  });

  test('a threshold passed before midnight is reported after it', async () => {
    const scene = await emptied();
    await scene.app('free');
    const midnightMs = Date.parse('2026-11-24');
    const one = startAlerts(scene.store);
    expect(await one.round(midnightMs - 3 * secondMs)).toEqual([]);
    await scene.day('search', today, { cap: 10n * usd, spent: 5n * usd });
    await scene.day('free', today, { spent: 5n * usd });
    await scene.day('search', '2026-11-24', { cap: 0n });
    expect(await one.round(midnightMs + 2 * secondMs)).toEqual([
      `budget.threshold app:search ${today} 50`,
    ]);
    expect(await one.round(midnightMs + 7 * secondMs)).toEqual([]);
    // The clock is set back, and forward again.
    expect(await one.round(midnightMs - hourMs, midnightMs + 12 * secondMs)).toEqual([]);
    expect(await one.round(midnightMs + hourMs, midnightMs + 17 * secondMs)).toEqual([]);
  });

  test('an event that is not yet in the store is raised again', async () => {
    const scene = await emptied();
    await scene.day('search', today, { cap: 10n * usd, spent: 5n * usd });
    const one = startAlerts(scene.store);
    await one.crash(noonMs);
    expect(await one.round(noonMs + 5 * secondMs)).toEqual([
      `budget.threshold app:search ${today} 50`,
    ]);
  });
}

function testBudgetEvents(emptied: Emptied) {
  test('a budget that will not last is reported, from a tenth of its period on', async () => {
    const scene = await emptied();
    const dayStartMs = Date.parse(today);
    const one = startAlerts(scene.store);
    const at = (hours: number, spent: bigint) =>
      scene
        .day('search', today, { cap: 100n * usd, spent: spent * usd })
        .then(() => one.events(dayStartMs + hours * hourMs));
    expect(await at(2, 19n)).toEqual([]);
    expect(await at(2.4, 10n)).toEqual([]);
    const [event] = await at(2.4, 20n);
    expect(event).toMatchObject({ type: 'budget.forecast', subject: 'app:search', mark: '' });
    expect(event?.data).toMatchObject({ usedUpAt: '2026-11-23T12:00:00.000Z', spentUsd: '20' });
    expect(await at(3, 30n)).toEqual([]);
    const early = { span: 'month', period: month, cap: 10n * usd } as const;
    await scene.scope('key:k', { ...early, spent: 3n * usd, since: dayStartMs - dayMs });
    await scene.scope('group:g', { ...early, spent: 3n * usd });
    expect(await one.round(dayStartMs + 3 * hourMs + 5_000)).toEqual([
      `budget.forecast key:k ${month}`,
    ]);
  });

  test('a cost above its reservation is reported once a day, and so are estimates', async () => {
    const scene = await emptied();
    const one = startAlerts(scene.store);
    await scene.day('search', today, { spent: usd, estimated: usd });
    expect(await one.round(noonMs)).toEqual([]);
    await scene.day('search', today, { spent: 20n * usd, estimated: usd });
    expect(await one.round(noonMs + 5_000)).toEqual([]);
    await scene.day('search', today, { spent: 20n * usd, estimated: usd + 1n, overrun: 1n });
    expect(await one.round(noonMs + 10_000)).toEqual([
      `budget.overrun app:search ${today}`,
      `estimates.grow app:search ${today}`,
    ]);
    expect(await one.round(noonMs + 15_000)).toEqual([]);
  });
}

function testRefusals(emptied: Emptied) {
  test('the first rejection of a budget is reported once for all processes', async () => {
    const scene = await emptied();
    await scene.day('search', today, { cap: 0n });
    await scene.scope('group:g', { span: 'month', period: month, cap: usd, members: '["search"]' });
    const budgets = [
      { scope: 'app:search', period: today },
      { scope: 'group:g', period: month },
      { scope: 'user:search:mia', period: today },
      { scope: 'run:search:r1', period: 'run' },
      { scope: 'group:gone', period: month },
    ];
    const processes = [startAlerts(scene.store), startAlerts(scene.store, { instanceId: 'b' })];
    for (const { refusals } of processes) {
      for (let calls = 0; calls < 3; calls++) {
        refusals.observer.budgetRefused?.({ app: 'search', budgets, neededPicoUsd: 2n * usd });
      }
    }
    const events = await processes[0]?.events(noonMs);
    expect(events?.map(({ subject, apps, data }) => [subject, apps, data.neededUsd])).toEqual([
      ['app:search', ['search'], '2'],
      ['group:g', ['search'], '2'],
    ]);
    expect(await processes[1]?.round(noonMs + 5_000)).toEqual([]);
    processes[0]?.refusals.observer.budgetRefused?.({ app: 'search', budgets, neededPicoUsd: 1n });
    expect(await processes[0]?.round(noonMs + 5_000)).toEqual([]);
  });
}

function testSlow(emptied: Emptied) {
  test('a key is reported a week and a day before its end', async () => {
    const scene = await emptied();
    const insert = (id: string, enabled: number, createdAt: number, expiresAt: number | null) =>
      scene.run(
        `insert into api_key (id, key_hash, name, customer_id, enabled, created_at, expires_at)
         values ($1, $1, 'n', 'search', $2, $3, $4)`,
        [id, enabled, createdAt, expiresAt],
      );
    const endMs = noonMs + 7 * dayMs + 30 * secondMs;
    await insert('long', 1, 0, endMs);
    await insert('disabled', 0, 0, endMs);
    await insert('endless', 1, 0, null);
    await insert('short', 1, noonMs - hourMs, noonMs + hourMs);
    await insert('late', 1, 0, noonMs + hourMs);
    const one = startAlerts(scene.store);
    const late = `key.expiring key:late ${new Date(noonMs + hourMs).toISOString()} 1d`;
    const long = `key.expiring key:long ${new Date(endMs).toISOString()}`;
    expect(await one.round(noonMs)).toEqual([late]);
    // Slowly changing values are read once a minute.
    expect(await one.round(noonMs + 59 * secondMs)).toEqual([]);
    expect(await one.round(noonMs + 60 * secondMs)).toEqual([`${long} 7d`]);
    expect(await one.round(endMs - dayMs)).toEqual([`${long} 1d`]);
    expect(await startAlerts(scene.store).round(endMs - hourMs)).toEqual([]);
  });

  test('closed budgets are an event once for each restore, while any is closed', async () => {
    const scene = await emptied();
    const use = { cap: 10n * usd, spent: 0n, held: 0n };
    await scene.scope('group:all', { span: 'month', period: month, ...use, members: 'all' });
    const restored = (atMs: number) => scene.store.write(recordRestore(atMs, noonMs));
    const open = (sql: string) => scene.run(`update store_restore set ${sql}`);
    await restored(noonMs - secondMs);
    const one = startAlerts(scene.store);
    const [event, ...others] = await one.events(noonMs);
    expect(others).toEqual([]);
    const restoredAt = '2026-11-23T11:59:59Z';
    expect(event).toMatchObject({ type: 'budget.closed', subject: 'store', period: restoredAt });
    expect(event?.data).toEqual({ restoredAt, count: 1, budgets: 'all (month)' });
    expect(await one.round(noonMs + 60 * secondMs)).toEqual([]);
    expect(await startAlerts(scene.store).round(noonMs + hourMs)).toEqual([]);
    await restored(noonMs + 2 * hourMs);
    await open(`budgets_opened_at = 1`);
    expect(await one.round(noonMs + 3 * hourMs)).toEqual([]);
    await open(`budgets_opened_at = null`);
    expect(await one.round(noonMs + 4 * hourMs)).toHaveLength(1);
    expect(await one.round(noonMs + 9 * dayMs)).toEqual([]);
    await scene.run('delete from store_restore');
  });

  test('a model without a price is reported once per app and day', async () => {
    const scene = await emptied();
    const use = (model: string, unpriced: number, tokens: number) =>
      scene.run(
        `insert into usage_day (app, day, model, calls, errors, input_tokens, cached_input_tokens,
                                cache_write_input_tokens, output_tokens, reasoning_tokens, cost,
                                estimated, unpriced_calls)
         values ('search', $1, $2, 5, 0, 0, 0, 0, $4, 0, 0, 0, $3)`,
        [today, model, unpriced, tokens],
      );
    await use('known', 0, 7);
    await use('misspelled', 9, 0);
    await use('new', 2, 7);
    const one = startAlerts(scene.store);
    const [event, ...others] = await one.events(noonMs);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'price.unknown', subject: 'app:search', mark: 'new' });
    expect(event?.data).toEqual({ app: 'search', model: 'new', day: today, calls: 2 });
    expect(await one.round(noonMs + 60 * secondMs)).toEqual([]);
  });

  test('another price is reported once per platform, field and day, by any process', async () => {
    const scene = await emptied();
    const [one, other] = [startAlerts(scene.store), startAlerts(scene.store)];
    const meet = (by: typeof one, field: string) =>
      by.mismatches.observer.priceMismatched?.({ platform: 'up', field, reason: 'other-tier' });
    meet(one, 'usage.speed');
    meet(one, 'usage.speed');
    meet(other, 'usage.speed');
    meet(other, 'service_tier');
    await one.crash(noonMs);
    const [event, ...others] = await one.events(noonMs);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'price.mismatch', subject: 'up', mark: 'usage.speed' });
    const told = { platform: 'up', field: 'usage.speed', reason: 'other-tier', day: today };
    expect(event?.data).toEqual(told);
    expect(await other.round(noonMs)).toEqual([`price.mismatch up ${today} service_tier`]);
    meet(one, 'usage.speed');
    expect(await one.round(noonMs + 60 * secondMs)).toEqual([]);
    expect(await one.round(noonMs + 24 * 3_600 * secondMs)).toEqual([]);
    meet(one, 'usage.speed');
    const tomorrow = await one.round(noonMs + 24 * 3_600 * secondMs);
    expect(tomorrow).toEqual([expect.stringMatching(/^price\.mismatch up .* usage\.speed$/)]);
  });

  test('a rejected account is reported once per platform, reason and day', async () => {
    const scene = await emptied();
    const [one, other] = [startAlerts(scene.store), startAlerts(scene.store)];
    const attempt = { callId: 'c', number: 1, model: 'gpt', platform: 'up', startedAt: noonMs };
    const ended = { ...attempt, outcome: 'SERVER', tookMs: 1 };
    const meet = (by: typeof one, account: string | undefined, status: number) =>
      by.mismatches.observer.attemptEnded?.({ ...ended, status, account });
    meet(one, 'credit', 402);
    meet(other, 'credit', 402);
    meet(other, 'unauthorized', 401);
    meet(other, undefined, 500);
    const data = { platform: 'up', model: 'gpt', reason: 'credit', status: 402, day: today };
    const event = { type: 'platform.account', subject: 'up', mark: 'credit', data };
    expect(await one.events(noonMs)).toMatchObject([event]);
    expect(await other.round(noonMs)).toEqual([`platform.account up ${today} unauthorized`]);
    meet(one, 'credit', 402);
    expect(await one.round(noonMs + 60 * secondMs)).toEqual([]);
    expect(await one.round(noonMs + 24 * 3_600 * secondMs)).toEqual([]);
  });
}

function testWallets(emptied: Emptied) {
  test('users with little left are reported in digests, each once a month', async () => {
    const scene = await emptied();
    await scene.app('tutor', 10n);
    // Every third has a tenth left, and every ninth of these has topped up.
    await scene.run(
      `insert into wallet_month (app, user_id, month, granted, pico_usd_per_credit, spent_grant,
                                 spent_topup, held_grant)
       with recursive numbers (number) as (
         select 1 union all select number + 1 from numbers where number < 540)
       select 'tutor', 'user' || number, '2026-11', 1000, 1,
              case when number % 3 = 0 then 800 else 0 end, 0, 100 from numbers`,
    );
    await scene.run(
      `insert into wallet_topup (app, user_id, added, spent, held)
       select app, user_id, 1, 0, 0 from wallet_month where user_id like 'user%9'`,
    );
    const low = 180 - 18;
    const quiet = startAlerts(scene.store);
    expect(await quiet.round(noonMs)).toEqual([]);
    const one = startAlerts(scene.store, { hook: hookOf({ events: ['wallet.low'] }) });
    const first = await one.events(noonMs);
    expect(first).toMatchObject([{ type: 'wallet.low', subject: 'app:tutor', apps: ['tutor'] }]);
    expect(await one.events(noonMs + hourMs / 2)).toEqual([]);
    const other = startAlerts(scene.store, { hook: hookOf({ events: ['wallet.low'] }) });
    expect(await other.events(noonMs + hourMs / 2)).toEqual([]);
    const second = await other.events(noonMs + hourMs);
    expect(await one.events(noonMs + 2 * hourMs)).toEqual([]);
    const users = [...first, ...second].map(({ data }) => data.users);
    expect(users.map((list) => Array.isArray(list) && list.length)).toEqual([100, low - 100]);
    const names = users.flat().map((user) => JSON.stringify(user));
    expect(new Set(names).size).toBe(low);
    expect(names[0]).toMatch(/^\{"user":"u_\w+","leftUsd":"0\.0000000001","grantedUsd":"0\.0/);
    expect(JSON.stringify(users)).not.toContain('user3');
  });
}

type State = 'closed' | 'open' | 'probing';

function testCircuits(emptied: Emptied) {
  test('an outage is one event for all processes, and ends ten seconds after all', async () => {
    const scene = await emptied();
    const states: Record<'a' | 'b', State> = { a: 'closed', b: 'closed' };
    const start = (instanceId: 'a' | 'b') => {
      const circuits = () => [{ platform: 'openai', model: 'gpt', state: states[instanceId] }];
      const snapshot = () => ({ circuits: circuits() });
      return startAlerts(scene.store, { instanceId, circuits: { snapshot } });
    };
    const [a, b] = [start('a'), start('b')];
    const told: string[] = [];
    const rounds = async (second: number, now: Partial<typeof states> = {}, dead = '') => {
      Object.assign(states, now);
      const nowMs = noonMs + second * secondMs;
      const alive = ['a', 'b'].filter((id) => id !== dead);
      await scene.store.write(alive.map((id) => seen({ id, seenAt: nowMs, configHash: 'x' })));
      for (const each of [a, b]) {
        if (each === b && dead === 'b') continue;
        const events = await each.events(nowMs);
        told.push(...events.map(({ type, period }) => `${second} ${type} ${period.slice(14, 19)}`));
      }
    };
    await rounds(0);
    await rounds(5, { a: 'open' });
    await rounds(10, { b: 'open', a: 'probing' });
    await rounds(15, { a: 'closed' });
    await rounds(20, { b: 'closed' });
    await rounds(25, { a: 'open' });
    await rounds(30, { a: 'closed' });
    await rounds(35);
    expect(told).toEqual(['5 platform.circuit_opened 00:05']);
    await rounds(40);
    await rounds(45, { b: 'open' });
    await rounds(50, { b: 'open' }, 'b');
    await rounds(60, {}, 'b');
    await rounds(65, {}, 'b');
    await rounds(75, {}, 'b');
    expect(told.slice(1)).toEqual([
      '40 platform.circuit_closed 00:05',
      '45 platform.circuit_opened 00:45',
      '75 platform.circuit_closed 00:45',
    ]);
  });
}
