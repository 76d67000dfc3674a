import type { BudgetMode, BudgetSpan } from '../../domain/budget.ts';
import { formatUsd, larger } from '../../lib/money.ts';
import type { BudgetRow } from '../../store/queries/budgets.ts';
import type { ScopeUse } from '../../store/queries/scopes.ts';

/** A budget beside an app's own day, as operators read it: one span of it. */
export interface BudgetDocument {
  /** A group's name; else `app:NAME`, `key:ID` or `users:APP`. */
  readonly name: string;
  readonly span: BudgetSpan;
  readonly capUsd: string;
  readonly mode: BudgetMode;
  readonly visible: boolean;
  /** The apps of a group, or `all`; null for what is no group. */
  readonly apps: readonly string[] | 'all' | null;
  readonly origin: 'file' | 'command';
  readonly since: string;
  /** When the store was restored that has closed it; null while it is open. */
  readonly closedAt: string | null;
}

/** The same with what was counted in the period that runs; of users, what theirs have together. */
export interface BudgetUseDocument extends BudgetDocument {
  readonly period: string;
  readonly spentUsd: string;
  readonly heldUsd: string;
  /** What is left, nothing while it is closed; null of users, since each has the cap. */
  readonly remainingUsd: string | null;
  /** The part of what is spent that was spent before the budget was there. */
  readonly broughtUsd: string;
  readonly estimatedUsd: string;
  /** The part of what is spent that went above what was held for its calls. */
  readonly overrunUsd: string;
  /** How many calls `shadow` would have refused, and of what cost at most. */
  readonly wouldRefuse: { readonly calls: number; readonly usd: string };
  /** Of `users:APP`, how many have a call in the period; else null. */
  readonly users: number | null;
}

const groupPrefix = 'group:';

/** What operators call a scope. */
export function nameOfScope(scope: string): string {
  return scope.startsWith(groupPrefix) ? scope.slice(groupPrefix.length) : scope;
}

/** The scope of such a name. */
export function scopeOfName(name: string): string {
  return name.includes(':') ? name : `${groupPrefix}${name}`;
}

/** What `budgets list` prints of a definition; `closedAt` as its period that runs has it. */
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

/** What `budgets show` prints of it. */
export function budgetUseDocument(
  row: BudgetRow,
  use: ScopeUse,
  closedAt: number | undefined,
): BudgetUseDocument {
  const isOfUsers = row.scope.startsWith('users:');
  const left = closedAt === undefined ? row.capPicoUsd - use.spent - use.held : 0n;
  return {
    ...budgetDocument(row, closedAt),
    period: use.period,
    spentUsd: formatUsd(use.spent),
    heldUsd: formatUsd(use.held),
    remainingUsd: isOfUsers ? null : formatUsd(larger(0n, left)),
    broughtUsd: formatUsd(use.brought),
    estimatedUsd: formatUsd(use.estimated),
    overrunUsd: formatUsd(use.overrun),
    wouldRefuse: { calls: Number(use.wouldRefuse), usd: formatUsd(use.wouldRefuseAmount) },
    users: isOfUsers ? use.rows : null,
  };
}
