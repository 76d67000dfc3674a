import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { updateApp } from '../../src/operations/apps/apps.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

let stack: Stack;
beforeEach(async () => {
  const yaml = `
company: acme
store: "${await server.database()}"
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: tutor, dailyBudgetUsd: "5", credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
`;
  // In virtual time the server's clock has no meaning.
  stack = await openStack({ yaml });
});
afterEach(() => stack.close());

describe('the whole service on PostgreSQL', () => {
  test('answers a chat and books it to budget, wallet and usage', async () => {
    const exchange = await meetChat(stack, 'tutor', 'sim-echo', { userId: 'u1' });
    expect(exchange.status).toBe(200);
    const client = await stack.client('tutor');
    const usage = await stack.clock.run(client.usage());
    expect(usage.totals.calls).toBe(1);
    expect(usage.budget?.spentUsd).toBe(usage.totals.costUsd);
    const credits = await stack.clock.run(client.credits('u1'));
    expect(Number(credits.spent) / 100).toBeCloseTo(Number(usage.totals.costUsd), 12);
    expect(credits.held).toBe('0');
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  test('replays a request with a key to the byte, and pays once', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const post = () => stack.post('search', '/v1/chat', chatOf('sim-echo'), { headers });
    const first = await post();
    const again = await post();
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    expect(stack.simulator.bill().total.calls).toBe(1);
  });

  test('rejects calls that exceed the budget, or that the wallet cannot pay', async () => {
    await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: 1n });
    const budget = await meetChat(stack, 'search', 'sim-echo');
    expect([budget.status, budget.error?.code]).toEqual([429, 'BUDGET_EXCEEDED']);
    const credits = { monthlyGrantPicoUsd: 10n ** 6n, picoUsdPerCredit: 10n ** 10n };
    await updateApp(stack.admin, 'tutor', { credits });
    await stack.clock.advance(1_000);
    const wallet = await meetChat(stack, 'tutor', 'sim-echo', { userId: 'u1' });
    expect([wallet.status, wallet.error?.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(stack.simulator.bill().total.calls).toBe(0);
  });

  test('charges a call across midnight and month’s end to the day of its admission', async () => {
    const before = Date.UTC(2026, 10, 30, 23, 59, 59);
    stack.clock.set(before);
    const exchange = await meetChat(stack, 'tutor', 'sim-slow', { userId: 'u1' });
    expect(exchange.status).toBe(200);
    expect(new Date(stack.clock.now()).toISOString().slice(0, 10)).toBe('2026-12-01');
    const days = await stack.store.read({
      sql: 'select day, month from call',
      values: [],
      map: (rows) => rows.map((row) => `${row.day} ${row.month}`),
    });
    expect(days).toEqual(['2026-11-30 2026-11']);
    expect(await stack.audit()).toMatchObject({ clean: true });
  });
});
