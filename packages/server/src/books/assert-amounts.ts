import assert from 'node:assert';
import { formatUsd, larger, picoUsdMax } from '../lib/money.ts';
import type { BudgetDay } from './rows.ts';
import { type BudgetScope, scopeKeyOf } from './scope.ts';

// What would make a wrong row is refused while nothing is written: its operation fails alone.
// Every call passes here, so sentences are made only where they are needed.

/** Throws where an amount of a budget is negative, or more than its column holds. */
export function assertBudget(row: BudgetDay | BudgetScope): void {
  const { spent, held, estimated, overrun } = row;
  if (spent > picoUsdMax || held > picoUsdMax) {
    const most = `at most $${formatUsd(picoUsdMax)} can be counted`;
    assert.fail(`${nameOf(row)} would be $${formatUsd(larger(spent, held))}, and ${most}`);
  }
  if (spent >= 0n && held >= 0n && estimated >= 0n && overrun >= 0n) return;
  const amounts = Object.entries({ spent, held, estimated, overrun });
  const shown = amounts.map(([name, amount]) => `${name} $${formatUsd(amount)}`).join(', ');
  assert.fail(`${nameOf(row)} would have a negative amount: ${shown}`);
}

function nameOf(row: BudgetDay | BudgetScope): string {
  return 'app' in row ? `the day ${row.day} of ${row.app}` : `the budget ${scopeKeyOf(row)}`;
}
