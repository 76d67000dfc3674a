import { afterAll, describe, expect, test } from 'vitest';
import { scopeOfRun } from '../../src/domain/run.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { type CappedRoute, mostOf, openCapped } from '../budgets/support/caps.ts';
import { scopeRows } from '../budgets/support/scope-rows.ts';
import { chatOf } from '../support/exchange.ts';
import { storeKinds } from '../support/shared-stack.ts';
import { askRuns, makeRun } from './run-stack.ts';

const lastSecond = Date.UTC(2026, 10, 30, 23, 59, 59);

/** Takes two seconds. */
const slow: CappedRoute = {
  ...{ path: '/v1/chat', status: 429 },
  body: (maxTokens) => chatOf('sim-slow', { maxTokens, userId: 'ada' }),
};
const tokens = 100;
const one = mostOf(slow, tokens);
const cost = 6_000_000n;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);

  /** A run of a new app, a second before midnight, and a call of it that has begun. */
  async function began(maxCostPicoUsd: bigint, expiresInMs: number) {
    const { stack, newApp } = shared();
    const app = await newApp();
    await stack.key(app);
    stack.clock.set(lastSecond);
    const parts = { maxCostUsd: formatUsd(maxCostPicoUsd), expiresInMs };
    const { runId, key } = await stack.clock.run(makeRun(stack, app, parts));
    const begin = async () => {
      const answer = stack.fetch(`http://gateway.test${slow.path}`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(slow.body(tokens)),
      });
      await stack.clock.settle();
      return answer;
    };
    const { scope, period } = scopeOfRun({ app, id: runId });
    const row = async () =>
      (await scopeRows(stack.store, scope)).map(({ spent, held }) => ({ spent, held }));
    return { stack, app, runId, begin, row, name: `${scope}@${period}` };
  }

  test('a run that crosses midnight has one budget for both days', async () => {
    const { stack, runId, begin, row } = await began(one + cost - 1n, 60_000);
    const before = begin();
    await stack.clock.settle();
    expect(await row()).toEqual([{ spent: 0n, held: one }]);
    stack.clock.set(lastSecond + 1_000);
    const refused = await stack.clock.run(begin());
    expect(refused.status).toBe(429);
    expect(refused.headers.get('x-budget-scope')).toBe(`run:${runId}`);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect((await stack.clock.run(before)).status).toBe(200);
    expect(await row()).toEqual([{ spent: cost, held: 0n }]);
    // A pico-USD is missing for the maximum of another, on the new day too.
    expect((await stack.clock.run(begin())).status).toBe(429);
  });

  test('a call that runs when its run expires is answered and booked, and no other', async () => {
    const { stack, begin, row } = await began(10n * one, 1_000);
    const before = begin();
    await stack.clock.settle();
    stack.clock.set(lastSecond + 1_000);
    expect((await stack.clock.run(begin())).status).toBe(403);
    expect((await stack.clock.run(before)).status).toBe(200);
    expect(await row()).toEqual([{ spent: cost, held: 0n }]);
  });

  test('a call that runs when its run is ended is answered and booked, and no other', async () => {
    const { stack, app, runId, begin, row } = await began(10n * one, 60_000);
    const before = begin();
    await stack.clock.settle();
    const ended = await askRuns(stack, app, { method: 'DELETE', id: runId });
    expect(ended.status).toBe(200);
    expect((await stack.clock.run(begin())).status).toBe(403);
    expect((await stack.clock.run(before)).status).toBe(200);
    expect(await row()).toEqual([{ spent: cost, held: 0n }]);
    const shown = await askRuns(stack, app, { id: runId });
    expect(shown.body).toMatchObject({ spentUsd: formatUsd(cost), heldUsd: '0' });
  });

  test('the audit finds amounts that a run never spent, reserved or had', async () => {
    const { stack, app, runId, begin } = await began(10n * one, 60_000);
    expect((await stack.clock.run(begin())).status).toBe(200);
    const { scope } = scopeOfRun({ app, id: runId });
    const plant = (set: string) =>
      stack.store.write([
        { sql: `update budget_scope set ${set} where scope = $1`, values: [scope] },
      ]);
    const broken = async () =>
      (await stack.audit()).checks.filter(({ ok }) => !ok).map(({ id }) => id);
    for (const [column, by, found] of [
      ['spent', 1n, ['I4-scope']],
      ['held', 1n, ['I2-scope']],
      ['spent', 10n * one, ['I1-scope', 'I4-scope']],
    ] as const) {
      await plant(`${column} = ${column} + ${by}`);
      expect(await broken(), column).toEqual(found);
      await plant(`${column} = ${column} - ${by}`);
    }
  });

  afterAll(async () => {
    expect(await shared().stack.audit()).toMatchObject({ clean: true });
  });
});
