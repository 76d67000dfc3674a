import type { BudgetUseDocument } from '@model-gateway/server/operations/documents';
import { dayOf } from '../../data/days.ts';
import { picoOf, textOf } from '../../text/money.ts';
import { isOpen, type SpendQuery } from './spend-query.ts';

export interface MonthBudget {
  readonly budget: BudgetUseDocument;
  /** From the month's average so far; null before a full day is over. */
  readonly forecastUsd: string | null;
  readonly state: 'used' | 'tight' | 'holds';
  /** The day on which that average reaches the limit. */
  readonly reachedOn: string | null;
}

const dayMs = 86_400_000;

/** The budgets of this month, the tightest first; none for other ranges or a single model. */
export function monthBudgets(
  budgets: readonly BudgetUseDocument[],
  spendQuery: SpendQuery,
  nowMs: number,
): readonly MonthBudget[] {
  const { range, from, to, model } = spendQuery;
  if (range !== 'month' || model !== '' || !isOpen(spendQuery)) return [];
  const start = Date.parse(from);
  const length = Date.parse(to) + dayMs - start;
  return budgets
    .filter((one) => isCounted(one, spendQuery))
    .map((budget) => judged(budget, { start, length, elapsed: nowMs - start }))
    .toSorted((a, b) => useOf(b) - useOf(a));
}

function isCounted(
  { span, period, name, apps, remainingUsd }: BudgetUseDocument,
  spendQuery: SpendQuery,
) {
  if (span !== 'month' || period !== spendQuery.from.slice(0, 7) || remainingUsd === null)
    return false;
  if (spendQuery.app === '') return true;
  return (
    name === `app:${spendQuery.app}` || apps === 'all' || apps?.includes(spendQuery.app) === true
  );
}

interface Month {
  readonly start: number;
  readonly length: number;
  readonly elapsed: number;
}

function judged(budget: BudgetUseDocument, { start, length, elapsed }: Month): MonthBudget {
  const [spent, cap] = [picoOf(budget.spentUsd), picoOf(budget.capUsd)];
  const isKnown = elapsed >= dayMs;
  const forecast = isKnown ? (spent * BigInt(length)) / BigInt(elapsed) : null;
  const isUsed = picoOf(budget.remainingUsd ?? '0') <= 0n;
  const isTight = forecast !== null && forecast > cap;
  const reached = isTight && !isUsed ? Number((BigInt(elapsed) * cap) / spent) : null;
  return {
    budget,
    forecastUsd: forecast === null ? null : textOf(forecast),
    state: isUsed ? 'used' : isTight ? 'tight' : 'holds',
    reachedOn: reached === null ? null : dayOf(start + Math.max(reached, elapsed)),
  };
}

function useOf({ budget, forecastUsd }: MonthBudget): number {
  return Number(forecastUsd ?? budget.spentUsd) / Math.max(Number(budget.capUsd), 1e-12);
}

/** The answer in words. */
export function verdictOf(budgets: readonly MonthBudget[]): string {
  const count = budgets.length;
  const failing = budgets.filter(({ state }) => state !== 'holds').length;
  if (count === 0) return 'No monthly budgets';
  if (failing > 0) return `${failing} of ${count} monthly budgets at risk`;
  return count === 1 ? 'Within the monthly budget' : `Within all ${count} monthly budgets`;
}
