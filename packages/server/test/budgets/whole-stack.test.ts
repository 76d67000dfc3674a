import { afterAll, describe, expect, test } from 'vitest';
import { setBudget, showBudget } from '../../src/operations/budgets/budgets.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { big } from '../../src/store/schema/columns.ts';
import { chatOf } from '../support/exchange.ts';
import { storeKinds } from '../support/shared-stack.ts';
import type { Stack } from '../support/stack.ts';
import {
  ask,
  type Cap,
  caps,
  chat,
  groupDay,
  mostOf,
  openCapped,
  quoteOf,
  resetMs,
  routes,
} from './support/caps.ts';

const many = 9_999;

describe.each(storeKinds)('on %s', (kind) => {
  const shared = openCapped(kind);

  async function newApp() {
    const { stack, newApp: make } = shared();
    const app = await make();
    await stack.key(app);
    return { stack, app };
  }

  /** Sets a budget, and lets the service read it. */
  async function capped(cap: Cap, picoUsd: bigint) {
    const on = await newApp();
    const key = await on.stack.clock.run(cap.set(on, picoUsd));
    await on.stack.clock.run(on.stack.service.registry.refresh());
    return { on, key, header: cap.header(on.app), says: cap.says(on.app) };
  }

  const rows = caps.flatMap((cap) =>
    routes.map((route) => [cap.header('APP'), route.path, cap, route] as const),
  );

  test.each(rows)(
    '%s rejects on %s, and reports the amount that fits',
    async (_, __, cap, route) => {
      const { on, key, header, says } = await capped(cap, mostOf(route, many));
      expect(await ask(on, route, many, key)).toMatchObject({ status: 200 });
      const nowMs = on.stack.clock.now();
      const refused = await ask(on, route, many, key);
      expect([refused.status, refused.headers.get('x-budget-scope')]).toEqual([
        route.status,
        header,
      ]);
      expect(refused.text).toContain(says);
      expect(refused.text).not.toContain('Other budgets that cannot cover it');
      const seconds = Math.ceil((resetMs(cap, nowMs) - nowMs) / 1_000);
      expect(refused.headers.get('retry-after')).toBe(String(seconds));
      const fits = Number(
        /max(?:Tokens|_tokens|_completion_tokens|_output_tokens) (\d+) would fit/.exec(
          refused.text,
        )?.[1],
      );
      expect(fits).toBeGreaterThan(many - 100);
      expect(await ask(on, route, fits + 1, key)).toMatchObject({ status: route.status });
      expect(await ask(on, route, fits, key)).toMatchObject({ status: 200 });
    },
  );

  test.each(caps)('a budget resets at its end: $span', async (cap) => {
    const { on, key, header } = await capped(cap, mostOf(chat, many));
    const anewMs = resetMs(cap, on.stack.clock.now());
    on.stack.clock.set(anewMs - 1_000);
    expect(await ask(on, chat, many, key)).toMatchObject({ status: 200 });
    on.stack.clock.set(anewMs - 1);
    const refused = await ask(on, chat, many, key);
    expect(refused.headers.get('x-budget-scope')).toBe(header);
    expect(refused.headers.get('retry-after')).toBe('1');
    on.stack.clock.set(anewMs);
    expect(await ask(on, chat, many, key)).toMatchObject({ status: 200 });
  });

  test('no reset is promised where another rejecting budget never has room', async () => {
    const { on, header } = await capped(groupDay, mostOf(chat, many));
    const { admin, clock, service } = on.stack;
    expect(await ask(on, chat, many)).toMatchObject({ status: 200 });
    const limits = { dailyPicoUsd: mostOf(chat, many) - 1n };
    const issued = issueKey(admin, { app: on.app, email: 'team@acme.example', limits });
    const { key } = await clock.run(issued);
    await clock.run(service.registry.refresh());
    const refused = await ask(on, chat, many, key);
    expect(refused.headers.get('x-budget-scope')).toBe(header);
    expect(refused.text).toContain(
      'Other budgets that cannot cover it: key-day (too small for this call at any time).',
    );
    expect(refused.headers.get('retry-after')).toBeNull();
    const quoted = JSON.parse((await ask(on, quoteOf(chat), many, key)).text);
    expect(quoted).toMatchObject({ fits: false, code: 'BUDGET_EXCEEDED', binding: header });
    const said = Number(
      /max(?:Tokens|_tokens|_completion_tokens|_output_tokens) (\d+) would fit/.exec(
        refused.text,
      )?.[1],
    );
    expect(quoted.maxTokensThatFit).toBeGreaterThanOrEqual(said);
    expect(await ask(on, chat, quoted.maxTokensThatFit, key)).toMatchObject({ status: 200 });
  });

  test('shadow mode rejects nothing on any route, and counts each call', async () => {
    const on = await newApp();
    const { admin, clock, service } = on.stack;
    const shadow = { apps: [on.app], dailyPicoUsd: 1n, mode: 'shadow' } as const;
    await clock.run(setBudget(admin, 'shade', shadow, []));
    await clock.run(service.registry.refresh());
    for (const route of routes) {
      expect(await ask(on, route, 100)).toMatchObject({ status: 200 });
    }
    expect(await clock.run(showBudget(admin, 'shade'))).toMatchObject([
      { wouldRefuse: { calls: routes.length }, heldUsd: '0', remainingUsd: '0' },
    ]);
  });

  test('a budget that is set during a call includes it, and applies to the next', async () => {
    const on = await newApp();
    const { admin, clock } = on.stack;
    const running = on.stack.post(on.app, '/v1/chat', chatOf('sim-slow'));
    await clock.settle();
    const group = { apps: [on.app], dailyPicoUsd: 1n };
    const set = setBudget(admin, 'sudden', group, []);
    await clock.settle();
    expect(await set).toMatchObject([{ heldUsd: expect.stringMatching(/^0\.000[1-9]/) }]);
    // The service has not read the budget yet. The reservation gets it from the store.
    const refused = await ask(on, chat, 100);
    expect(refused.headers.get('x-budget-scope')).toBe('group-day:sudden');
    expect((await running).status).toBe(200);
    expect(await clock.run(showBudget(admin, 'sudden'))).toMatchObject([{ heldUsd: '0' }]);
  });

  afterAll(async () => {
    const { stack } = shared();
    expect(await stack.audit()).toMatchObject({ clean: true });
    expect(await booked(stack)).toBe(stack.simulator.bill().total.costPicoUsd);
  });
});

function booked({ store }: Stack): Promise<bigint> {
  return store.read({
    sql: 'select cast(sum(cost) as bigint) as cost from call',
    values: [],
    map: ([row]) => (row === undefined ? 0n : big(row, 'cost')),
  });
}
