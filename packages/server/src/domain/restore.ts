import type { BudgetDefinition } from './budget.ts';

/**
 * Lost calls after the backup were billed, so budgets that count them are closed until operators
 * open them. ADR 0080.
 */
export interface Restore {
  readonly atMs: number;
  /** UTC. */
  readonly day: string;
  readonly areBudgetsOpen: boolean;
  readonly areWalletsOpen: boolean;
  readonly openScopes: ReadonlySet<string>;
}

export type ClosableBudget = Pick<BudgetDefinition, 'scope' | 'span' | 'mode' | 'sinceMs'>;

/**
 * When the closing restore was made; undefined if open. A budget of keys or users counts from its
 * creation, so a later one has lost nothing.
 */
export function budgetClosedAt(
  restore: Restore,
  { scope, span, mode, sinceMs }: ClosableBudget,
  period: string,
): number | undefined {
  const { atMs, day, areBudgetsOpen, openScopes } = restore;
  if (areBudgetsOpen || mode !== 'enforce' || openScopes.has(scope)) return undefined;
  if (/^(?:key|users):/.test(scope) && sinceMs > atMs) return undefined;
  // A later period has lost nothing.
  return period <= (span === 'day' ? day : monthOf(day)) ? atMs : undefined;
}

export function runClosedAt(
  { atMs, areBudgetsOpen }: Restore,
  { createdAtMs }: { readonly createdAtMs: number },
): number | undefined {
  return areBudgetsOpen || createdAtMs > atMs ? undefined : atMs;
}

export function walletsClosedAt(
  { atMs, day, areWalletsOpen }: Restore,
  month: string,
): number | undefined {
  return areWalletsOpen || month > monthOf(day) ? undefined : atMs;
}

function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}
