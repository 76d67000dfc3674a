import { describe, expect, test } from 'vitest';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { formatUsd } from '../../../src/lib/money.ts';
import { billed, expectSums, settled, walletOf } from '../../streams/support/books.ts';
import { metered } from '../../streams/support/house.ts';
import { readCalls } from '../../support/books.ts';
import type { Choose } from '../../support/pairs.ts';
import { type SharedStack, type StoreKind, storeKinds } from '../../support/shared-stack.ts';
import type { Stack } from '../../support/stack.ts';
import { outcomes, type PaidOutcome } from './paid-outcomes.ts';
import { amountsOn, type PaidRoute, paidRoutes } from './paid-routes.ts';
import { openPayingHouse } from './paying-house.ts';
import { type RawCaller, startRaw } from './raw-caller.ts';

interface Row {
  readonly kind: StoreKind;
  readonly name: string;
  readonly route: PaidRoute;
  readonly isStream: boolean;
  readonly hasKey: boolean;
  readonly hasWallet: boolean;
}

interface PaidRow extends Row {
  readonly what: string;
  readonly outcome: PaidOutcome;
}

const both = [false, true];
const cells: readonly Row[] = storeKinds
  .flatMap((kind) => Object.entries(paidRoutes).map(([name, route]) => ({ kind, name, route })))
  .flatMap((row) => both.map((isStream) => ({ ...row, isStream })))
  .filter(({ route, isStream }) => route.canStream || !isStream)
  .flatMap((row) => both.map((hasKey) => ({ ...row, hasKey })))
  .flatMap((row) => both.map((hasWallet) => ({ ...row, hasWallet })));
const paidRows: readonly PaidRow[] = Object.entries(outcomes).flatMap(([what, outcome]) =>
  cells.filter((row) => outcome.isOn?.(row) ?? true).map((row) => ({ ...row, what, outcome })),
);

/** Who pays, for every outcome of a call on every compatible route. */
export function describeWhoPays(choose: Choose) {
  const [paid, refused] = [choose(paidRows), choose(cells)];

  describe.each(storeKinds)('on %s', (kind) => {
    const house = openPayingHouse(kind, { unboundedInput: 'hold-context' });
    const outcomesOn = Map.groupBy(
      paid.filter((row) => row.kind === kind),
      ({ what }) => what,
    );

    describe.each([...outcomesOn])('%s', (_, rows) => {
      test.each(rows)('$name: streamed $isStream, key $hasKey, wallet $hasWallet', (row) =>
        expectPaid(house(), row),
      );
    });

    test.each(refused.filter((row) => row.kind === kind))(
      'rejected by the budget, $name: streamed $isStream, key $hasKey, wallet $hasWallet',
      (row) => expectRefused(house(), row),
    );
  });
}

async function expectPaid({ stack, newApp }: SharedStack, row: PaidRow) {
  const { outcome, route, isStream, hasWallet } = row;
  // Earlier failures must not open a circuit.
  if (outcome.code === 'SERVER') await stack.clock.advance(11_000);
  const app = await newApp(hasWallet ? metered : {});
  const { maxTokens = 100 } = outcome;
  const prompt = outcome.prompt(isStream);
  const text = bodyOf(row, prompt, maxTokens);
  const amounts = amountsOn(route, { prompt, text, maxTokens });
  const caller = await start({ stack, app, row, text });
  if (outcome.leaves !== undefined) await leave(caller, { stack, isStream, outcome });
  else await caller.untilEnd();

  const [call, ...more] = await settled(stack, app);
  await caller.untilEnd();
  expect(more).toEqual([]);
  if (call === undefined) throw new Error(`it is not in the books: ${caller.text()}`);
  const { code, basis } = outcome;
  const cost = outcome.budget(amounts, row);
  expect({ ...call, wallet: walletOf(call) }, caller.text()).toMatchObject({
    ...{ code, basis, cost, model: route.model },
    estimated: basis === 'estimated' ? cost : 0n,
    wallet: hasWallet ? outcome.wallet(amounts, row) : 0n,
  });
  const bill = billed(stack, app);
  if (basis === 'estimated') expect(call.cost).toBeGreaterThanOrEqual(bill);
  else expect(call.cost).toBe(bill);
  await expectSums(stack, app, [call]);
  if (outcome.leaves === undefined) expectSeen(caller, row, cost);
}

function expectSeen(
  caller: RawCaller,
  { outcome, route, isStream, hasKey }: PaidRow,
  cost: bigint,
) {
  const { fails, basis, code } = outcome;
  const isTold = isStream && fails !== 'before';
  if (fails !== undefined && !isTold) {
    expect(caller.status()).toBe(code === 'THROTTLED' ? 429 : route.serverStatus);
    expect(caller.header('x-error-code')).toBe(code);
    const isPaidAgain = basis === 'estimated' && !hasKey;
    expect(caller.header('x-should-retry')).toBe(isPaidAgain ? 'false' : null);
    return;
  }
  expect(caller.status()).toBe(200);
  if (isTold) {
    const last = caller.text().trimEnd().split('\n\n').at(-1);
    expect(last).toContain(route.last[outcome.ends]);
    return;
  }
  expect(caller.header('x-cost-usd')).toBe(formatUsd(cost));
  expect(caller.header('x-cost-estimated')).toBe(String(basis === 'estimated'));
}

async function expectRefused({ stack, newApp }: SharedStack, row: Row) {
  const budget = { dailyBudgetPicoUsd: 1_000_000n };
  const app = await newApp({ ...(row.hasWallet ? metered : {}), ...budget });
  const text = bodyOf(row, 'Hello', 100);
  const caller = await start({ stack, app, row, text });
  await caller.untilEnd();
  expect([caller.status(), caller.header('x-error-code')]).toEqual([402, 'BUDGET_EXCEEDED']);
  const day = utcDayOf(stack.clock.now());
  expect(await readCalls(stack.store, app, day)).toEqual([]);
  expect(billed(stack, app)).toBe(0n);
  await expectNothing(stack, app);
}

async function expectNothing(stack: Stack, app: string) {
  expect(await settled(stack, app)).toEqual([]);
  expect(await stack.audit()).toMatchObject({ clean: true });
}

function bodyOf({ route, isStream }: Row, prompt: string, maxTokens: number): string {
  const body = route.body(prompt, maxTokens);
  return JSON.stringify(isStream ? { ...body, stream: true } : body);
}

function start(by: {
  readonly stack: Stack;
  readonly app: string;
  readonly row: Row;
  readonly text: string;
}) {
  const { stack, app, row, text } = by;
  const headers = {
    ...(row.hasKey ? { 'idempotency-key': `key of ${app}` } : {}),
    ...(row.hasWallet ? { 'x-user-id': 'ada' } : {}),
  };
  return startRaw(stack, app, row.route.path, { text, headers });
}

/** Disconnects after the first words or the first event, or before there are any. */
async function leave(
  caller: RawCaller,
  by: {
    readonly stack: Stack;
    readonly isStream: boolean;
    readonly outcome: PaidOutcome;
  },
) {
  const hasCome = by.outcome.leaves === 'within' ? 'a100' : '\n\n';
  if (by.isStream) await caller.until(() => caller.text().includes(hasCome));
  else await by.stack.clock.advance(1_000);
  caller.leave();
}
