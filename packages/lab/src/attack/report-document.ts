import { formatUsd } from '@model-gateway/server/lib/money';
import type { BudgetVerdict } from './budget-verdict.ts';
import { type Findings, totalOf } from './findings.ts';
import type { ScopeVerdict } from './scope-verdict.ts';
import type { AccountVerdict } from './verdict.ts';

/** Amounts are exact decimals of USD. */
export function reportDocument(findings: Findings, seconds: number) {
  const { accounts, broken, isClean, isConclusive } = findings.verdict;
  const { seed, store, services } = findings;
  return {
    ...amountsOf(totalOf(findings.verdict)),
    ...{ broken, isClean, isConclusive, seed, store, services, seconds },
    apps: accounts.map((account) => ({ name: account.name, ...amountsOf(account) })),
    scopes: findings.verdict.scopes.map(scopeDocument),
    budgets: findings.verdict.budgets.map(budgetDocument),
    stages: findings.stages.map(({ name, line, crowd }) => ({
      ...{ name, line },
      ...(crowd && { admitted: crowd.admitted, fits: crowd.fits }),
    })),
  };
}

function amountsOf(account: AccountVerdict) {
  const { falseRefusals, lost, doubled } = account;
  const { chargedWithoutResponse, falseExact, falseBookings } = account;
  return {
    overspendUsd: formatUsd(account.overspendPicoUsd),
    ...{ falseRefusals, lost, doubled, chargedWithoutResponse, falseExact, falseBookings },
    heldUsd: formatUsd(account.heldPicoUsd),
    spentUsd: formatUsd(account.billedPicoUsd),
    bookedUsd: formatUsd(account.bookedPicoUsd),
    capUsd: formatUsd(account.capPicoUsd),
    askedUsd: formatUsd(account.askedPicoUsd),
  };
}

function scopeDocument(scope: ScopeVerdict) {
  return {
    ...{ name: scope.name, falseRefusals: scope.falseRefusals },
    overspendUsd: formatUsd(scope.overspendPicoUsd),
    spentUsd: formatUsd(scope.billedPicoUsd),
    bookedUsd: formatUsd(scope.bookedPicoUsd),
    capUsd: formatUsd(scope.capPicoUsd),
  };
}

function budgetDocument(budget: BudgetVerdict) {
  return {
    ...{ name: budget.name, checks: budget.checks },
    lostUsd: formatUsd(budget.lostPicoUsd),
    doubledUsd: formatUsd(budget.doubledPicoUsd),
    wronglyHeldUsd: formatUsd(budget.wronglyHeldPicoUsd),
  };
}
