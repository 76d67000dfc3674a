import type { BudgetDefinition } from '../domain/budget.ts';
import { budgetClosedAt, type Restore, walletsClosedAt } from '../domain/restore.ts';
import { isoSeconds, utcDayOf } from '../lib/clock.ts';
import { listedNames } from '../lib/nearest.ts';
import type { Query } from '../store/port.ts';
import { selectMeteredApps } from '../store/queries/alert-facts.ts';
import { type BudgetRow, selectBudgets } from '../store/queries/budgets.ts';
import { selectRestore } from '../store/queries/restores.ts';
import { countRunsBefore } from '../store/queries/runs.ts';

/** What a restored store keeps closed at a time: a budget that is made later may be closed too. */
export interface ClosedBudgets<Budget extends BudgetDefinition = BudgetDefinition> {
  readonly restore: Restore;
  /** Whether budgets, or wallets, of the periods that run are closed, be there any or not. */
  readonly closesBudgets: boolean;
  readonly closesWallets: boolean;
  readonly budgets: readonly Budget[];
  /** How many open runs were begun before. */
  readonly runs: number;
  /** The apps whose users' wallets are closed. */
  readonly walletApps: readonly string[];
}

/** A reader of the store: that of calls, or the one for operators. */
export type ReadStore = <T>(query: Query<T>) => Promise<T>;

/** Finds closed budgets; undefined where none can be. Without a restore, one row is read. */
export async function readClosed(
  read: ReadStore,
  nowMs: number,
): Promise<ClosedBudgets<BudgetRow> | undefined> {
  const restore = await read(selectRestore);
  return restore && closedBy(restore, read, nowMs);
}

/** Finds budgets that a restore closes, be it recorded or not. */
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

/** How many budgets are closed: definitions, runs, and the wallets of an app as one. */
function closedCount({ budgets, runs, walletApps }: ClosedBudgets): number {
  return budgets.length + runs + walletApps.length;
}

/** How many budgets are closed, and which, as a sentence has them. */
export interface ClosedSummary {
  readonly count: number;
  readonly names: string;
  /** Empty where nothing is closed. */
  readonly restoredAt: string;
}

const namesMax = 20;

/** Counts and names closed budgets: definitions, runs, and the wallets of an app as one. */
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

/** When the store was restored that closes a budget on a day; undefined where it is open. */
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
