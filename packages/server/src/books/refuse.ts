import assert from 'node:assert';
import { larger, picoUsdMax } from '../lib/money.ts';
import type { ScopeClaim } from './claims.ts';
import type { FullScope, Reserve, ReserveOutcome } from './operations.ts';
import type { BudgetDay, CallFacts } from './rows.ts';
import { type BudgetScope, type ScopeKey, scopeKeyOf } from './scope.ts';

type Row = BudgetDay | BudgetScope;

/**
 * Checks all budgets. The rejection names the budget with the least left, or a budget that a
 * restore has closed.
 */
export function refuseByBudgets(
  budget: BudgetDay,
  scopes: readonly BudgetScope[],
  { facts, amount, scopes: claims }: Reserve,
): ReserveOutcome | undefined {
  const isFull = (row: Row) => refuses(row) && !fits(row, capOf(row), facts, amount);
  if (claims.some(isClosed)) return refuseClosed([budget, ...scopes], claims, isFull, amount);
  if (!isFull(budget) && !scopes.some(isFull)) return undefined;
  const full: readonly Row[] = [budget, ...scopes].filter(isFull);
  const overfull = full.find((row) => capOf(row) === undefined);
  if (overfull !== undefined) {
    const { spent, held } = overfull;
    return { kind: 'refused', code: 'INVALID', spent, held, needed: amount };
  }
  const least = full.reduce((a, b) => (remainingOf(b) < remainingOf(a) ? b : a));
  const { spent, held } = least;
  return {
    ...{ kind: 'refused', code: 'BUDGET_EXCEEDED' },
    scope: 'app' in least ? undefined : keyOf(least),
    remaining: larger(0n, remainingOf(least)),
    refusing: full.filter((row) => row !== least).map(fullOf),
    ...{ cap: capOf(least) ?? picoUsdMax, spent, held, needed: amount },
  };
}

function isClosed({ closedAt }: ScopeClaim): boolean {
  return closedAt !== undefined;
}

function refuseClosed(
  rows: readonly Row[],
  claims: readonly ScopeClaim[],
  isFull: (row: Row) => boolean,
  needed: bigint,
): ReserveOutcome {
  const closed = claims.filter(isClosed);
  const claimOf = (row: Row) => {
    return closed.find((each) => 'scope' in row && scopeKeyOf(each) === scopeKeyOf(row));
  };
  const refusing = rows.filter((row) => claimOf(row) !== undefined || isFull(row));
  const first = refusing.find((row) => claimOf(row) !== undefined);
  const closedAt = first && claimOf(first)?.closedAt;
  assert(first !== undefined && closedAt !== undefined, 'a closed budget has no row');
  const { spent, held } = first;
  return {
    ...{ kind: 'refused', code: 'BUDGET_EXCEEDED', scope: keyOf(first), remaining: 0n, closedAt },
    refusing: refusing.filter((row) => row !== first).map(fullOf),
    ...{ cap: capOf(first) ?? picoUsdMax, spent, held, needed },
  };
}

export function wouldRefuse(scope: BudgetScope, { facts, amount }: Reserve): boolean {
  return scope.mode === 'shadow' && !fits(scope, scope.cap, facts, amount);
}

/** Undefined if it rejects nothing. */
export function capOf(row: Row): bigint | undefined {
  return refuses(row) ? row.cap : undefined;
}

/**
 * A daily budget without a cap ends at its column's limit; a budget in shadow mode rejects nothing.
 */
export function refuses(row: Row): boolean {
  return 'app' in row || row.mode === 'enforce';
}

function fits(row: Row, cap: bigint | undefined, { priceVersion }: CallFacts, amount: bigint) {
  const used = row.spent + row.held;
  // A cap is always within its column's limit; without a cap, that limit applies.
  if (cap === undefined) return used + amount <= picoUsdMax;
  // An unpriced model counts as nothing, so the spent budget itself must reject it.
  return priceVersion === undefined ? used < cap : used + amount <= cap;
}

function remainingOf(row: Row): bigint {
  return (capOf(row) ?? picoUsdMax) - row.spent - row.held;
}

function fullOf(row: Row): FullScope {
  return { ...keyOf(row), cap: capOf(row) ?? picoUsdMax };
}

function keyOf(row: Row): ScopeKey {
  if ('app' in row) return { scope: `app:${row.app}`, period: row.day };
  const { scope, period } = row;
  return { scope, period };
}
