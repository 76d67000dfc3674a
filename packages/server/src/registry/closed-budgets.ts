import type { BudgetDefinition } from '../domain/budget.ts';
import { budgetClosedAt, type Restore, walletsClosedAt } from '../domain/restore.ts';
import { isoSeconds, utcDayOf } from '../lib/clock.ts';
import { listedNames } from '../lib/nearest.ts';
import type { Query } from '../store/port/port.ts';
import { selectMeteredApps } from '../store/queries/alert-facts.ts';
import { type BudgetRow, selectBudgets } from '../store/queries/budgets.ts';
import { selectRestore } from '../store/queries/restores.ts';
import { countRunsBefore } from '../store/queries/runs.ts';

export interface ClosedBudgets<Budget extends BudgetDefinition = BudgetDefinition> {
  readonly restore: Restore;
  readonly closesBudgets: boolean;
  readonly closesWallets: boolean;
  readonly budgets: readonly Budget[];
  readonly runs: number;
  readonly walletApps: readonly string[];
}

export type ReadStore = <T>(query: Query<T>) => Promise<T>;

/** Undefined if none can be closed. Without a restore, only one row is read. */
export async function readClosed(
  read: ReadStore,
  nowMs: number,
): Promise<ClosedBudgets<BudgetRow> | undefined> {
  const restore = await read(selectRestore);
  return restore && closedBy(restore, read, nowMs);
}

export async function closedBy(
  restore: Restore,
  read: ReadStore,
  nowMs: number,
): Promise<ClosedBudgets<BudgetRow> | undefined> {
  const day = utcDayOf(nowMs);
  const month = monthOf(day);
  const closesWallets = walletsClosedAt(restore, month) !== undefined;
  // No budget's period is longer than a month.
  const closesBudgets = !restore.areBudgetsOpen && month <= monthOf(restore.day);
  if (!closesBudgets && !closesWallets) return undefined;
  const all = await read(selectBudgets);
  const budgets = all.filter((budget) => closedAtOn(restore, budget, day) !== undefined);
  const runs = restore.areBudgetsOpen ? 0 : await read(countRunsBefore(restore.atMs, nowMs));
  const walletApps = closesWallets ? await read(selectMeteredApps) : [];
  return { restore, closesBudgets, closesWallets, budgets, runs, walletApps };
}

/** Counts definitions and runs, and all wallets of an app as one. */
function closedCount({ budgets, runs, walletApps }: ClosedBudgets): number {
  return budgets.length + runs + walletApps.length;
}

export interface ClosedSummary {
  readonly count: number;
  readonly names: string;
  readonly restoredAt: string;
}

const namesMax = 20;

export function summaryOf(closed: ClosedBudgets | undefined): ClosedSummary {
  if (closed === undefined) return { count: 0, names: '', restoredAt: '' };
  const { budgets, runs, walletApps } = closed;
  const names = budgets.map(closedName);
  const more = names.length - namesMax;
  const parts = [
    ...names.slice(0, namesMax),
    ...(more > 0 ? [`${more} more budgets`] : []),
    ...(runs > 0 ? [runs === 1 ? '1 run' : `${runs} runs`] : []),
    ...(walletApps.length > 0 ? [`the wallets of ${listedNames(walletApps)}`] : []),
  ];
  const restoredAt = isoSeconds(closed.restore.atMs);
  return { count: closedCount(closed), names: parts.join(', '), restoredAt };
}

function closedName({ scope, span }: Pick<BudgetDefinition, 'scope' | 'span'>): string {
  return `${scope.replace(/^group:/, '')} (${span})`;
}

export function closedAtOn(
  restore: Restore,
  budget: BudgetDefinition,
  day: string,
): number | undefined {
  return budgetClosedAt(restore, budget, budget.span === 'day' ? day : monthOf(day));
}

function monthOf(day: string): string {
  return day.slice(0, 'YYYY-MM'.length);
}
