import { formatUsd, larger } from '../../lib/money.ts';
import type { BudgetRow } from '../../store/queries/budgets.ts';
import type { ScopeUse } from '../../store/queries/scopes.ts';
import type { BudgetDocument, BudgetUseDocument } from '../documents/budgets.ts';

const groupPrefix = 'group:';

export function nameOfScope(scope: string): string {
  return scope.startsWith(groupPrefix) ? scope.slice(groupPrefix.length) : scope;
}

export function scopeOfName(name: string): string {
  return name.includes(':') ? name : `${groupPrefix}${name}`;
}

/** `closedAt` is that of the running period. */
export function budgetDocument(row: BudgetRow, closedAt: number | undefined): BudgetDocument {
  return {
    name: nameOfScope(row.scope),
    span: row.span,
    capUsd: formatUsd(row.capPicoUsd),
    mode: row.mode,
    visible: row.isVisible,
    apps: row.members ?? null,
    origin: row.origin,
    since: new Date(row.sinceMs).toISOString(),
    closedAt: closedAt === undefined ? null : new Date(closedAt).toISOString(),
  };
}

export function budgetUseDocument(
  row: BudgetRow,
  use: ScopeUse,
  closedAt: number | undefined,
): BudgetUseDocument {
  const isOfUsers = row.scope.startsWith('users:');
  const remaining = closedAt === undefined ? row.capPicoUsd - use.spent - use.held : 0n;
  return {
    ...budgetDocument(row, closedAt),
    period: use.period,
    spentUsd: formatUsd(use.spent),
    heldUsd: formatUsd(use.held),
    remainingUsd: isOfUsers ? null : formatUsd(larger(0n, remaining)),
    carriedOverUsd: formatUsd(use.brought),
    estimatedUsd: formatUsd(use.estimated),
    overrunUsd: formatUsd(use.overrun),
    wouldRefuse: { calls: Number(use.wouldRefuse), usd: formatUsd(use.wouldRefuseAmount) },
    users: isOfUsers ? use.rows : null,
  };
}
