import { expect } from 'vitest';
import type { CallRecord } from '../../../src/books/rows.ts';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { selectBudget, selectUsage } from '../../../src/store/queries/ledger.ts';
import { billedUsd, expectClean, heldBy, readCalls } from '../../support/books.ts';
import type { Stack } from '../../support/stack.ts';

/** Lets time pass until nothing of an app is reserved; returns its calls, in their order. */
export async function settled(stack: Stack, app: string): Promise<readonly CallRecord[]> {
  const { clock, store } = stack;
  for (let seconds = 0; (await clock.run(heldBy(store, app))) > 0; seconds++) {
    if (seconds > 400) throw new Error('the call is held for ever');
    await clock.advance(1_000);
  }
  return clock.run(readCalls(store, app, utcDayOf(clock.now())));
}

/** Checks that day, usage and audit are the sum of an app's calls, and nothing is reserved. */
export async function expectSums(stack: Stack, app: string, calls: readonly CallRecord[]) {
  const { clock, store } = stack;
  const day = utcDayOf(clock.now());
  const cost = calls.reduce((sum, call) => sum + call.cost, 0n);
  const estimated = calls.reduce((sum, call) => sum + call.estimated, 0n);
  const budget = await clock.run(store.read(selectBudget(app, day)));
  expect(budget).toMatchObject({ held: 0n, spent: cost, estimated });
  const usage = await clock.run(store.read(selectUsage(app, day)));
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  expect(sum(usage.map((row) => row.cost))).toBe(cost);
  expect(sum(usage.map((row) => row.estimated))).toBe(estimated);
  expect(usage.reduce((total, row) => total + row.calls, 0)).toBe(calls.length);
  await clock.run(expectClean(stack));
}

/** The platform's bill for an app, in pico-USD. */
export function billed(stack: Stack, app: string): bigint {
  const [whole = '0', fraction = ''] = billedUsd(stack, app).split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

/** The amount that a user's wallet has paid for a call. */
export function walletOf({ walletGrant, walletTopup }: CallRecord): bigint {
  return walletGrant + walletTopup;
}

/** The time when the reservations of an app expire. */
export function expiriesOf({ store }: Stack, app: string): Promise<readonly number[]> {
  return store.read({
    sql: 'select expires_at from hold where app = $1',
    values: [app],
    map: (rows) => rows.map((row) => Number(row.expires_at)),
  });
}
