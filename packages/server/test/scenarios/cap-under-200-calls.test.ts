import { expect, test } from 'vitest';
import { parseUsd } from '../../src/lib/money.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import type { Store } from '../../src/store/port/port.ts';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import { expectBooks, paid } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { openStack, type Stack } from '../support/stack.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 10000, burst: 10000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

const day = '2026-11-21';

/** Reads the app's day after every commit, and records the highest used amount. */
function watchingStore() {
  const taken: bigint[] = [];
  const wrap = (store: Store): Store => ({
    ...store,
    async commit(batch) {
      const results = await store.commit(batch);
      const budget = await store.read(selectBudget('search', day));
      if (budget !== undefined) taken.push(budget.spent + budget.held);
      return results;
    },
  });
  return { wrap, taken };
}

/** The results of 200 concurrent clients. */
async function askAtOnce(stack: Stack, model: string) {
  await stack.key('search');
  const asked = Array.from({ length: 200 }, () => stack.post('search', '/v1/chat', chatOf(model)));
  const answers = await Promise.all(asked);
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  return {
    admitted: answers.filter(({ status }) => status === 200).length,
    refusals: texts.filter((_, index) => answers[index]?.status === 429),
  };
}

/** The amounts in a rejection, in the order of its sentence. */
function amountsOf(refusal: string): readonly bigint[] {
  return [...refusal.matchAll(/\$(\d+(?:\.\d+)?)/g)].map(
    ([, amount]) => parseUsd(amount ?? '') ?? -1n,
  );
}

/** A rejection is true if spent, reserved and required amounts together exceed the budget. */
function expectTrue(refusal: string, capPicoUsd: bigint) {
  const [cap, spent = 0n, held = 0n, needed = 0n] = amountsOf(refusal);
  expect(cap).toBe(capPicoUsd);
  expect(spent + held + needed).toBeGreaterThan(capPicoUsd);
}

test('of 200 concurrent calls, exactly as many are admitted as fit the budget: 37', async () => {
  const { wrap, taken } = watchingStore();
  const stack = await openStack({ yaml, wrapStore: wrap });
  const cap = maximumCostPicoUsd(chatOf('sim-slow')) * 38n - 1n;
  await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: cap });
  const { admitted, refusals } = await askAtOnce(stack, 'sim-slow');
  expect(admitted).toBe(37);
  expect(refusals).toHaveLength(163);
  for (const refusal of refusals) expectTrue(refusal, cap);
  expect(taken.length).toBeGreaterThan(1);
  expect(taken.filter((amount) => amount > cap)).toEqual([]);
  const calls = Array.from({ length: 37 }, () => paid('0.000006'));
  await expectBooks(stack, 'search', { calls, billedUsd: usd(37n * 6_000_000n) });
  await stack.close();
});

test('money that returns during 200 calls is available again, and never twice', async () => {
  const { wrap, taken } = watchingStore();
  const stack = await openStack({ yaml, wrapStore: wrap });
  const cap = maximumCostPicoUsd(chatOf('sim-echo')) * 38n - 1n;
  await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: cap });
  const { admitted, refusals } = await askAtOnce(stack, 'sim-echo');
  expect(admitted).toBeGreaterThanOrEqual(37);
  expect(admitted + refusals.length).toBe(200);
  for (const refusal of refusals) expectTrue(refusal, cap);
  expect(taken.filter((amount) => amount > cap)).toEqual([]);
  const calls = Array.from({ length: admitted }, () => paid('0.000006'));
  await expectBooks(stack, 'search', { calls, billedUsd: usd(BigInt(admitted) * 6_000_000n) });
  await stack.close();
});

test('calls with two reservations, since they may have been billed, exceed no budget', async () => {
  const { wrap, taken } = watchingStore();
  const stack = await openStack({ yaml, wrapStore: wrap });
  const most = maximumCostPicoUsd(chatOf('sim-reset'));
  const cap = most * 50n;
  await updateApp(stack.admin, 'search', { dailyBudgetPicoUsd: cap });
  const { admitted } = await askAtOnce(stack, 'sim-reset');
  expect(admitted).toBe(0);
  expect(taken.filter((amount) => amount > cap)).toEqual([]);
  const budget = await stack.store.read(selectBudget('search', day));
  expect(budget).toMatchObject({ held: 0n, spent: cap, estimated: cap });
  expect(await stack.audit()).toMatchObject({ clean: true });
  await stack.close();
});
