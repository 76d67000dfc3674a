import type { BudgetDefinition } from './budget.ts';

/**
 * The last time that the store was put back from a backup, and what operators have opened since.
 * Calls that it has lost were billed, so budgets that count them are closed. ADR 0080.
 */
export interface Restore {
  readonly atMs: number;
  /** The UTC day of that time. */
  readonly day: string;
  readonly areBudgetsOpen: boolean;
  readonly areWalletsOpen: boolean;
  /** Scopes of definitions that were opened one by one. */
  readonly openScopes: ReadonlySet<string>;
}

/** What of a definition decides whether it is closed. */
export type ClosableBudget = Pick<BudgetDefinition, 'scope' | 'span' | 'mode' | 'sinceMs'>;

/**
 * When the store was restored that closes a budget of a period; undefined where it is open. A
 * budget of keys or users counts from when it was set: one that was set later has lost nothing.
 */
export function budgetClosedAt(
  restore: Restore,
  { scope, span, mode, sinceMs }: ClosableBudget,
  period: string,
): number | undefined {
  const { atMs, day, areBudgetsOpen, openScopes } = restore;
  if (areBudgetsOpen || mode !== 'enforce' || openScopes.has(scope)) return undefined;
  if (/^(?:key|users):/.test(scope) && sinceMs > atMs) return undefined;
  // Of a period that began later, nothing was lost.
  return period <= (span === 'day' ? day : monthOf(day)) ? atMs : undefined;
}

/** The same of a run, which has one period. */
export function runClosedAt(
  { atMs, areBudgetsOpen }: Restore,
  { createdAtMs }: { readonly createdAtMs: number },
): number | undefined {
  return areBudgetsOpen || createdAtMs > atMs ? undefined : atMs;
}

/** The same of the wallets of a month. */
export function walletsClosedAt(
  { atMs, day, areWalletsOpen }: Restore,
  month: string,
): number | undefined {
  return areWalletsOpen || month > monthOf(day) ? undefined : atMs;
}

function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}
