import { expect } from 'vitest';
import type { Outcome } from '../../src/books/operations.ts';
import type { BudgetDay, CallRecord } from '../../src/books/rows.ts';
import { type ScopeList, scopeKeyOf, scopeKeysIn } from '../../src/books/scope.ts';
import type { LedgerRows } from './ledger-rows.ts';

/**
 * Checks I2–I7 on the rows only, without the oracle and without SQL: each sum is computed from its
 * rows.
 */
export function expectInvariants(rows: LedgerRows) {
  const { budgets, scopes, wallets, topups, entries, holds, calls, attempts, usage } = rows;
  const { unclaimed } = rows;
  const breaches: string[] = [];
  const rule = (id: string, holdsTrue: boolean) => holdsTrue || breaches.push(id);

  for (const { app, day, spent, held, estimated, overrun } of budgets) {
    const own = calls.filter((call) => call.app === app && call.day === day);
    const open = holds.filter((hold) => hold.app === app && hold.day === day);
    rule('I2', held === sum(open.map((hold) => hold.budgetAmount)));
    rule('I4 budget', spent === sum(own.map((call) => call.cost)));
    rule('I6 budget', [spent, held, estimated, overrun].every(isNatural));
    rule('I6 estimated and overrun are of what is spent', estimated <= spent && overrun <= spent);
  }
  for (const scope of scopes) {
    const isOf = (row: ScopeList) => scopeKeysIn(row.scopes).includes(scopeKeyOf(scope));
    const own = calls.filter(isOf);
    const { spent, held, estimated, overrun, brought, pruned, admittedCap } = scope;
    rule('I1 scope', admittedCap === undefined || spent - overrun + held <= admittedCap);
    rule('I2 scope', held === sum(holds.filter(isOf).map((hold) => hold.budgetAmount)));
    rule('I4 scope', spent - brought - pruned === sum(own.map((call) => call.cost)));
    rule('I4 scope estimates', estimated === sum(own.map((call) => call.estimated)));
    rule('I4 scope overruns', overrun === sum(own.map(overrunOf)));
    rule('I6 scope', [spent, held, estimated, overrun, brought, pruned].every(isNatural));
  }
  for (const { app, userId, month, granted, ...wallet } of wallets) {
    const isOf = (row: { app: string; userId: string | undefined; month: string | undefined }) =>
      row.app === app && row.userId === userId && row.month === month;
    const own = calls.filter(isOf);
    const waiting = sum(unclaimed.filter(isOf).map(({ grantHeld }) => grantHeld));
    const running = sum(holds.filter(isOf).map((hold) => hold.grantAmount));
    rule('I3 grant', wallet.heldGrant === running + waiting);
    rule('I3 grant not overdrawn', wallet.spentGrant + wallet.heldGrant <= granted);
    rule('I4 wallet', wallet.spentGrant === sum(own.map((call) => call.walletGrant)));
    rule('I4 wallet top-up', wallet.spentTopup === sum(own.map((call) => call.walletTopup)));
    rule('I6 wallet', [wallet.spentGrant, wallet.spentTopup, wallet.heldGrant].every(isNatural));
  }
  for (const { app, userId, added, spent, held } of topups) {
    const isOf = (row: { app: string; userId: string | undefined }) =>
      row.app === app && row.userId === userId;
    const waiting = sum(unclaimed.filter(isOf).map(({ topupHeld }) => topupHeld));
    const running = sum(holds.filter(isOf).map((hold) => hold.topupAmount));
    rule('I3 top-up', held === running + waiting);
    rule('I3 top-up not overdrawn', spent + held <= added);
    rule('I4 top-up', spent === sum(calls.filter(isOf).map((call) => call.walletTopup)));
    rule('I4 top-ups', added === sum(entries.filter(isOf).map((entry) => entry.amount)));
    rule('I6 top-up', [added, spent, held].every(isNatural));
  }
  for (const [callId, own] of Map.groupBy(attempts, (attempt) => attempt.callId)) {
    const call = calls.find((row) => row.callId === callId);
    const estimates = own.filter(({ basis }) => basis === 'estimated');
    rule('I4 call', call?.cost === sum(own.map(({ cost }) => cost)));
    rule('I4 call estimate', call?.estimated === sum(estimates.map(({ cost }) => cost)));
    rule('I4 call has several', own.length > 1 && own.every(({ n }, index) => n === index + 1));
    rule(
      'I6 attempts',
      own.every(({ cost }) => isNatural(cost)),
    );
  }
  rule(
    'I6 usage',
    usage.every(({ cost, estimated }) => isNatural(cost) && estimated <= cost),
  );
  rule('I5', sum(usage.map((row) => row.cost)) === sum(calls.map((call) => call.cost)));
  rule('I5 calls', usage.reduce((count, row) => count + row.calls, 0) === calls.length);
  for (const { callId } of holds) rule('I7', !calls.some((call) => call.callId === callId));
  expect(breaches).toEqual([]);
}

/** Checks I1 on the day of a reservation or an extension that has just been committed. */
export function expectWithinCap({ cap, spent, overrun, held }: BudgetDay) {
  if (cap === undefined) return;
  expect(spent - overrun + held, 'I1: spent − overrun + held').toBeLessThanOrEqual(cap);
}

/** Checks I12: a rejection was correct by its own figures, and the oracle has the same figures. */
export function expectTrueRefusal(outcome: Outcome, isPriced: boolean) {
  if (outcome.kind !== 'refused') return;
  // A budget that a restore has closed rejects everything, whatever it has left. The oracle checks
  // it.
  if (outcome.code !== 'INVALID' && outcome.closedAt !== undefined) return;
  if (outcome.code === 'INSUFFICIENT_CREDITS') {
    expect(outcome.needed, 'I12: needed').toBeGreaterThan(outcome.available);
    return;
  }
  const { spent, held, needed } = outcome;
  const cap = outcome.code === 'INVALID' ? 2n ** 63n - 1n : outcome.cap;
  // A call of an unpriced model is rejected as soon as nothing is left.
  const wanted = isPriced ? spent + held + needed : spent + held + 1n;
  expect(wanted, 'I12: spent + held + needed').toBeGreaterThan(cap);
}

function overrunOf({ cost, held }: CallRecord): bigint {
  return cost > held ? cost - held : 0n;
}

function isNatural(amount: bigint): boolean {
  return amount >= 0n;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
