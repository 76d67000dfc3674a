import { describe, expect, test } from 'vitest';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { formatUsd, parseUsd } from '../../src/lib/money.ts';
import { settingsTag } from '../../src/operations/apps/app-document.ts';
import { findCall } from '../../src/operations/calls/calls.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { findCalls } from '../../src/operations/calls/find-calls.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import type { Receipt } from '../../src/operations/documents.ts';
import { readHealth } from '../../src/operations/health/health.ts';
import { listKeys } from '../../src/operations/keys/key-document.ts';
import { readAppPage } from '../../src/operations/reports/app-page.ts';
import { readCurves } from '../../src/operations/reports/day-forecast.ts';
import { readReport } from '../../src/operations/reports/report.ts';
import { readSpend, type SpendQuery } from '../../src/operations/reports/spend.ts';
import { usageOfApp } from '../../src/operations/reports/usage.ts';
import { findAnything } from '../../src/operations/today/find-anything.ts';
import { type Dimension, dimensions } from '../../src/reports/dimensions.ts';
import { sumsDocument } from '../../src/reports/report.ts';
import { chatOf, meet, meetChat, prompted } from '../support/exchange.ts';
import { asPrompted } from '../support/platform-outcomes.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

const anyCall = {
  ...{ app: undefined, userId: undefined, keyId: undefined, model: undefined, code: undefined },
  ...{ since: undefined, until: undefined, minPicoUsd: undefined, isEstimated: false },
  ...{ after: undefined, limit: 50 },
};
const usdOf = (text: string) =>
  (text.startsWith('-') ? -1n : 1n) * (parseUsd(text.replace('-', '')) ?? 0n);
const sumOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + usdOf(text), 0n);

describe.each(storeKinds)('operator queries on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => {
    const yaml = `
company: acme
store: ${store}
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, credits: { monthlyGrant: "1000", usdPerCredit: "0.01" } }
`;
    const stack = await openStack({ yaml, script: asPrompted() });
    for (const day of [19, 20, 22]) {
      stack.clock.set(Date.UTC(2026, 10, day, 9));
      for (const words of ['one', 'two of them']) {
        await meetChat(stack, 'search', 'sim-echo', prompted(words));
        await meetChat(stack, 'tutor', 'sim-echo', { ...prompted(words), userId: 'ada' });
      }
    }
    return withApps(stack);
  });
  const catalog = () => {
    const { config, clock } = shared().stack;
    return createCatalog({ ...config, shipped: [], clock });
  };

  test('a receipt adds up to its cost, from tokens and prices', async () => {
    const { stack } = shared();
    const { calls } = await stack.clock.run(findCalls(stack.admin, anyCall));
    expect(calls).toHaveLength(12);
    for (const { id, costUsd } of calls) {
      const receipt = await receiptOf(id);
      expect(receipt).toMatchObject({ totalUsd: costUsd, matches: true });
      expect(receipt.call).toEqual(await stack.clock.run(findCall(stack.admin, id)));
      expectAdded(receipt);
      expect(receipt.lines.map(({ kind: of }) => of)).toEqual(['input', 'output']);
    }
    const byRequest = await receiptOf(calls[0]?.id.replace('call_', 'req_') ?? '');
    expect(byRequest.call.id).toBe(calls[0]?.id);
  });

  test('the reservation equals the booked cost and the released rest', async () => {
    const { stack } = shared();
    const { clock, admin } = stack;
    const { body } = await meet(stack, 'search', (client) =>
      client.chat(chatOf('sim-echo'), { idempotencyKey: 'receipt-1' }),
    );
    const id = String(Object(body).id);
    const receipt = await receiptOf(id);
    const { budget } = receipt;
    expect(budget).toMatchObject({ bookedUsd: receipt.totalUsd, dayCapUsd: '5', dayHeldUsd: '0' });
    const { heldUsd, bookedUsd, freedUsd, daySpentUsd } = budget ?? expect.fail('it has ended');
    expect(usdOf(bookedUsd) + usdOf(freedUsd ?? '')).toBe(usdOf(heldUsd ?? ''));
    expect(usdOf(freedUsd ?? '')).toBeGreaterThan(0n);
    const { calls } = await clock.run(findCalls(admin, { ...anyCall, app: 'search' }));
    const costs = calls.filter(({ startedAt }) => startedAt.startsWith(receipt.call.day));
    expect(usdOf(daySpentUsd)).toBe(sumOf(costs.map(({ costUsd }) => costUsd)));
    expect(receipt.isStored).toBe(true);
    const { headers } = await meetChat(stack, 'search', 'sim-rejects');
    expect((await receiptOf(headers.get('x-call-id') ?? '')).isStored).toBe(false);
    await clock.run(correctCall({ ...admin, reason: 'as billed' }, { callId: id, usd: '0.5' }));
    expect((await receiptOf(id)).budget).toMatchObject({
      ...{ heldUsd, bookedUsd: '0.5', freedUsd: null },
    });
    await clock.run(correctCall({ ...admin, reason: 'undone' }, { callId: id, usd: bookedUsd }));
  });

  test('reports the estimated part, and the corrections', async () => {
    const { stack } = shared();
    const { clock, admin } = stack;
    const { body } = await meetChat(stack, 'search', 'sim-echo', prompted('once: status 503'));
    const id = String(Object(body).id);
    const before = await receiptOf(id);
    expectAdded(before);
    await clock.run(correctCall({ ...admin, reason: 'as billed' }, { callId: id, usd: '0.5' }));
    const after = await receiptOf(id);
    expectAdded(after);
    expect(after).toMatchObject({ totalUsd: '0.5', matches: true });
    expect(after.remarks).toContainEqual(expect.stringContaining('to $0.5 on '));
    expect(after.lines.at(-1)).toMatchObject({ kind: 'corrected' });
    await expect(receiptOf('call_none')).rejects.toThrow('unknown call "call_none"');
  });

  test('finds the matches of a text within the reader’s permissions', async () => {
    const { stack } = shared();
    const { admin, clock } = stack;
    const [call] = (await clock.run(findCalls(admin, anyCall))).calls;
    const [key] = await clock.run(listKeys(admin, 'search'));
    const { call: whole } = await receiptOf(call?.id ?? '');
    const upstream = whole.state === 'finished' ? (whole.requestId ?? '') : '';
    const all = { apps: undefined, seesUsers: true, models: ['sim-echo'] };
    const find = (text: string, more = {}) =>
      clock.run(findAnything(admin, text, { ...all, ...more }));
    const kinds = async (text: string, more = {}) =>
      (await find(text, more)).map((one) => one.kind);
    expect(await find('sear')).toEqual([
      { kind: 'app', label: 'search', href: '/console/apps/search' },
    ]);
    expect(await kinds(call?.id ?? '')).toEqual(['call']);
    expect(await kinds(call?.id.replace('call_', 'req_') ?? '')).toEqual(['call']);
    expect(await kinds(key?.id ?? '')).toEqual(['key']);
    expect(await kinds('ada')).toEqual(['user']);
    expect(await kinds('sim-ec')).toEqual(['model']);
    expect(upstream).not.toBe('');
    expect((await find(upstream)).map(({ href }) => href)).toEqual([`/console/calls/${call?.id}`]);
    const others = { apps: ['none'] };
    for (const text of ['sear', call?.id ?? '', key?.id ?? '', 'ada', upstream, 'call_none']) {
      expect(await find(text, others)).toEqual([]);
    }
    expect(await find('ada', { seesUsers: false })).toEqual([]);
  });

  test('spending equals the report, whatever the split', async () => {
    const splits: readonly (readonly Dimension[])[] = [
      ...dimensions.map((one) => [one]),
      ...([
        ['model', 'day'],
        ['app', 'user'],
      ] as const),
    ];
    for (const by of splits) {
      const query = { ...days, by };
      const { admin, clock } = shared().stack;
      const report = await clock.run(
        readReport(
          admin,
          catalog(),
          { ...query, apps: undefined, top: undefined },
          () => undefined,
        ),
      );
      const spend = await spendOf(query);
      expect(spend.rows).toEqual(
        report.rows.map(({ names, sums }) => ({ names, sums: sumsDocument(sums) })),
      );
      expect(spend.total).toEqual(sumsDocument(report.total));
      expect(formatUsd(sumOf(spend.days.map((day) => day.costUsd)))).toBe(spend.total.costUsd);
      for (const { costUsd, parts } of spend.days) {
        if (parts.length > 0) expect(sumOf(parts.map((part) => part.costUsd))).toBe(usdOf(costUsd));
      }
    }
  });

  test('returns the previous period, the total of the range, and no other app', async () => {
    const month = { from: '2026-11-01', to: '2026-11-30' };
    const spend = await spendOf({ ...month, by: ['app'], compare: true });
    expect(spend.days).toHaveLength(30);
    expect(spend.before).toMatchObject({ from: '2026-10-01', to: '2026-10-31' });
    expect(spend.before?.total.calls).toBe(0);
    expect(spend.forecast?.basis).toBe(
      'the mean of the last 14 full days for each of the 9 remaining days',
    );
    const part = await spendOf({
      from: '2026-11-20',
      to: '2026-11-22',
      by: ['app'],
      compare: true,
    });
    expect(part.before).toMatchObject({ from: '2026-11-17', to: '2026-11-19' });
    expect(part.before?.total.calls).toBe(4);
    const team = await spendOf({ ...month, by: ['app'], apps: ['search'], top: 1 });
    expect(team.rows.map(({ names }) => names)).toEqual([['search']]);
    const none = await spendOf({ ...month, by: ['user'], apps: [] });
    expect(none).toMatchObject({ rows: [], total: { calls: 0, costUsd: '0' } });
  });

  test('the page of an app equals usage', async () => {
    const { admin, clock, config } = shared().stack;
    const curves = await clock.run(readCurves(admin));
    const page = await clock.run(readAppPage(admin, 'search', { config, curves, isTeam: true }));
    expect(page.usage).toEqual(await clock.run(usageOfApp(admin, 'search', undefined)));
    expect(page.days).toHaveLength(30);
    expect(page.days.at(-1)).toMatchObject({
      day: '2026-11-22',
      costUsd: page.usage.totals.costUsd,
    });
    expect(page.projects).toMatchObject([{ app: 'search', platform: 'sandbox' }]);
    expect(page.plans.user.ratePerSecond).toBeGreaterThan(0);
    expect(settingsTag(page.settings)).not.toBe(settingsTag({ ...page.settings, enabled: false }));
  });

  test('reports the state of the process and its store', async () => {
    const { service, admin, clock, config } = shared().stack;
    await clock.advance(3_000);
    const { live } = service;
    const health = await clock.run(readHealth(admin, { config, catalog: catalog(), live }));
    expect(health).toMatchObject({
      ...{ version: '0.0.0-test', problems: [], store: { kind, openHolds: 0 } },
      ...{ load: { runningCalls: 0, queue: 0 }, platforms: [{ name: 'sandbox' }] },
    });
    expect(health.replicas).toMatchObject([{ id: health.instanceId, isThis: true }]);
  });

  function receiptOf(id: string): Promise<Receipt> {
    const { admin, clock } = shared().stack;
    return clock.run(readReceipt(admin, id));
  }

  function spendOf(query: Partial<SpendQuery> & Pick<SpendQuery, 'by'>) {
    const { admin, clock } = shared().stack;
    const whole = {
      ...{ ...days, apps: undefined, model: undefined, top: undefined, compare: false },
      ...query,
    };
    return clock.run(readSpend(admin, catalog(), whole));
  }
});

const days = { from: '2026-11-01', to: '2026-11-22' };

/** Lines add up, and each line with tokens is tokens × price. */
function expectAdded({ lines, totalUsd, call }: Receipt) {
  expect(formatUsd(sumOf(lines.map(({ usd }) => usd)))).toBe(totalUsd);
  expect(call).toMatchObject({ costUsd: totalUsd });
  for (const { tokens, usdPerMillion, usd } of lines) {
    if (tokens === null || usdPerMillion === null) continue;
    expect(usdOf(usd) * 1_000_000n).toBe(BigInt(tokens) * usdOf(usdPerMillion));
  }
}
