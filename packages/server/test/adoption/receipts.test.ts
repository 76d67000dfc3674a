import type { Outcome } from '@model-gateway/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import { big } from '../../src/store/schema/columns.ts';
import { chatOf, prompted } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';

describe.each(['sqlite', 'postgres'] as const)(
  'a wallet pays what its user received, %s',
  (kind) => {
    const plans = new Map<string, Outcome>();
    let postgres: TestPostgres | undefined;
    let stack: Stack;
    let apps = 0;
    beforeAll(async () => {
      if (kind === 'postgres') postgres = await startPostgres();
      stack = await openStack({
        yaml: `
company: acme
store: "${(await postgres?.database()) ?? 'sqlite:./gateway.db'}"
limits: { modelCallMs: 2000, gatewayMs: 4000, drainMs: 20000 }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
        script: ({ request }) => plans.get(request.messages.at(-1)?.texts.join('') ?? ''),
      });
    });
    afterAll(async () => {
      await stack.close();
      await postgres?.close();
    });

    async function newApp(settings: { storeAnswers?: boolean; adoptRetries?: boolean }) {
      apps += 1;
      const name = `app-${apps}`;
      await createApp(stack.admin, name, {
        dailyBudgetPicoUsd: parseUsd('5'),
        credits: { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n },
        ...settings,
      });
      await stack.clock.run(stack.service.registry.refresh());
      return name;
    }

    /** Each test has its own prompt, whose response arrives after the time limit. */
    function lateAnswer(prompt: string) {
      plans.set(prompt, { kind: 'answer', text: 'late', delayMs: 5_000 });
      return { ...chatOf('sim-echo', prompted(prompt)), userId: 'ada' };
    }

    async function ask(app: string, body: object, headers: Record<string, string> = {}) {
      const response = await stack.post(app, '/v1/chat', body, { headers });
      const isReplayed = response.headers.get('idempotent-replayed') === 'true';
      return { status: response.status, isReplayed, id: response.headers.get('x-call-id') };
    }

    const retry = { 'x-stainless-retry-count': '1' };

    /** The paid and the reserved amount of the wallet, and the total booked cost. */
    async function sums(app: string) {
      const sql = `
      select (select cast(coalesce(sum(cost), 0) as bigint) from call where app = $1) as cost,
             (select cast(coalesce(sum(spent_grant), 0) as bigint)
                from wallet_month where app = $1) as paid,
             (select cast(coalesce(sum(held_grant), 0) as bigint)
                from wallet_month where app = $1) as held`;
      const [row] = await stack.store.read({ sql, values: [app], map: (rows) => rows });
      expect(await stack.audit()).toMatchObject({ clean: true });
      const found = row ?? expect.unreachable();
      return { cost: big(found, 'cost'), paid: big(found, 'paid'), held: big(found, 'held') };
    }

    test('an unstored keyed response that nobody awaits is unpaid', async () => {
      const app = await newApp({ storeAnswers: false });
      const body = lateAnswer('unkept');
      const key = { 'idempotency-key': 'k' };
      expect((await ask(app, body, key)).status).toBe(504);
      await stack.clock.advance(6_000);
      const { cost, ...rest } = await sums(app);
      expect(cost).toBeGreaterThan(0n);
      expect(rest).toEqual({ paid: 0n, held: 0n });
      expect((await ask(app, body, key)).status).toBe(400);
    });

    test('an unstored keyed response is paid by the caller who awaits it', async () => {
      const app = await newApp({ storeAnswers: false });
      plans.set('followed', { kind: 'answer', text: 'late', delayMs: 2_500 });
      const body = { ...chatOf('sim-echo', prompted('followed')), userId: 'ada' };
      const key = { 'idempotency-key': 'k' };
      expect((await ask(app, body, key)).status).toBe(504);
      expect(await ask(app, body, key)).toMatchObject({ status: 200, isReplayed: true });
      const { cost, paid } = await sums(app);
      expect(paid).toBe(cost);
    });

    test('a stored keyed response is paid, and collected at no cost', async () => {
      const app = await newApp({});
      const body = lateAnswer('kept');
      const key = { 'idempotency-key': 'k' };
      await ask(app, body, key);
      await stack.clock.advance(6_000);
      const before = await sums(app);
      expect(before).toEqual({ cost: before.cost, paid: before.cost, held: 0n });
      expect(await ask(app, body, key)).toMatchObject({ status: 200, isReplayed: true });
      expect(await sums(app)).toEqual(before);
    });

    test('a retry without a key pays for its collected response, and is not a replay', async () => {
      const app = await newApp({ adoptRetries: true });
      const body = lateAnswer('taken up');
      const first = await ask(app, body);
      expect(first.status).toBe(504);
      await stack.clock.advance(6_000);
      const waiting = await sums(app);
      expect(waiting.paid).toBe(0n);
      expect(waiting.held).toBeGreaterThanOrEqual(waiting.cost);
      expect(await ask(app, body, retry)).toEqual({ status: 200, isReplayed: false, id: first.id });
      expect(await sums(app)).toEqual({ cost: waiting.cost, paid: waiting.cost, held: 0n });
      await stack.clock.advance(130_000);
      expect(await sums(app)).toEqual({ cost: waiting.cost, paid: waiting.cost, held: 0n });
    });

    test('a wallet’s reservation is released if no retry collects the response', async () => {
      const app = await newApp({ adoptRetries: true });
      await ask(app, lateAnswer('not taken up'));
      await stack.clock.advance(6_000);
      expect((await sums(app)).held).toBeGreaterThan(0n);
      await stack.clock.advance(125_000);
      expect(await sums(app)).toMatchObject({ paid: 0n, held: 0n });
      expect(await stack.store.read(everyUnclaimed)).toEqual([]);
    });
  },
);

const everyUnclaimed = {
  sql: 'select call_id from unclaimed_payment',
  values: [],
  map: (rows: readonly object[]) => rows,
};
