import assert from 'node:assert';
import { formatUsd, larger, picoUsdMax } from '../lib/money.ts';
import { isCostOf } from './attempts.ts';
import type { Changes } from './changes.ts';
import type { Attempt, BudgetDay, CallRecord, Hold, WalletMonth, WalletTopup } from './rows.ts';
import { type BudgetMember, type BudgetScope, scopeKeyOf } from './scope.ts';

// Every call is checked here, so messages are built only on failure.

/**
 * A bad row fails only its operation, before anything is written. `check` constraints of both
 * databases enforce the same rules for other writers.
 */
export function assertChanges(changes: Changes): Changes {
  for (const row of changes.budgets) assertBudget(row);
  for (const row of changes.scopes) assertBudget(row);
  for (const row of changes.members) assertMember(row);
  for (const row of changes.wallets) assertWallet(row);
  for (const row of changes.topups) assertTopup(row);
  for (const row of changes.holdsStarted) assertHold(row);
  for (const row of changes.holdsChanged) assertHold(row);
  for (const row of changes.callsAdded) assertCall(row);
  for (const row of changes.callsReplaced) assertCall(row);
  assertAttempts(changes, changes.attemptsAdded);
  assertAttempts(changes, changes.attemptsChanged);
  return changes;
}

function assertBudget(row: BudgetDay | BudgetScope) {
  const { spent, held, estimated, overrun } = row;
  if (spent > picoUsdMax || held > picoUsdMax) {
    const most = `at most $${formatUsd(picoUsdMax)} can be counted`;
    assert.fail(`${nameOf(row)} would be $${formatUsd(larger(spent, held))}, and ${most}`);
  }
  if (spent < 0n || held < 0n || estimated < 0n || overrun < 0n) {
    refuseNegative(nameOf(row), { spent, held, estimated, overrun });
  }
}

function assertMember({ app, scope, period, brought, leftSpent = 0n }: BudgetMember) {
  if (brought >= 0n && leftSpent >= 0n) return;
  refuseNegative(`the part of ${app} in ${scope}@${period}`, { brought, leftSpent });
}

function nameOf(row: BudgetDay | BudgetScope): string {
  return 'app' in row ? `the day ${row.day} of ${row.app}` : `the budget ${scopeKeyOf(row)}`;
}

function assertWallet({ app, month, spentGrant, spentTopup, heldGrant }: WalletMonth) {
  if (spentGrant >= 0n && spentTopup >= 0n && heldGrant >= 0n) return;
  refuseNegative(`a wallet of ${app} in ${month}`, { spentGrant, spentTopup, heldGrant });
}

function assertTopup({ app, added, spent, held }: WalletTopup) {
  if (added >= 0n && spent >= 0n && held >= 0n) return;
  refuseNegative(`a top-up of ${app}`, { added, spent, held });
}

function assertHold({ callId, budgetAmount, grantAmount, topupAmount }: Hold) {
  if (grantAmount >= 0n && topupAmount >= 0n && budgetAmount >= grantAmount + topupAmount) return;
  const parts = formatAmounts({ budgetAmount, grantAmount, topupAmount });
  assert.fail(`the hold of call ${callId} would be less than the wallet's part: ${parts}`);
}

function assertCall({ callId, cost, estimated, walletGrant, walletTopup }: CallRecord) {
  if (cost < 0n || estimated < 0n || walletGrant < 0n || walletTopup < 0n) {
    refuseNegative(`call ${callId}`, { cost, estimated, walletGrant, walletTopup });
  }
  if (estimated <= cost) return;
  assert.fail(
    `call ${callId} would be estimated above its cost: ${formatAmounts({ cost, estimated })}`,
  );
}

/** All attempts of a call come together, with its record. */
function assertAttempts(changes: Changes, attempts: readonly Attempt[]) {
  if (attempts.length === 0) return;
  const byCall = Map.groupBy(attempts, ({ callId }) => callId);
  for (const call of [...changes.callsAdded, ...changes.callsReplaced]) {
    const own = byCall.get(call.callId);
    if (own === undefined || isCostOf(own, call)) continue;
    assert.fail(`call ${call.callId} would cost $${formatUsd(call.cost)}, and its attempts not`);
  }
}

function refuseNegative(name: string, amounts: Readonly<Record<string, bigint>>): never {
  assert.fail(`${name} would have a negative amount: ${formatAmounts(amounts)}`);
}

function formatAmounts(amounts: Readonly<Record<string, bigint>>): string {
  return Object.entries(amounts)
    .map(([name, amount]) => `${name} $${formatUsd(amount)}`)
    .join(', ');
}
