import { formatUsd } from '../../lib/money.ts';
import type { BudgetRefusal, Observer } from '../../lib/observer.ts';
import type { Store } from '../../store/port/port.ts';
import type { AlertEvent } from '../events.ts';
import {
  type BudgetUse,
  budgetData,
  budgetKeyOf,
  createUseReader,
  periodsAt,
} from './budget-use.ts';

/** Budget rejections by budget and period, as seen by this process. */
export interface Refusals {
  readonly observer: Observer;
  /** Returns events that were not sent yet. */
  events(store: Pick<Store, 'read'>, nowMs: number): Promise<readonly AlertEvent[]>;
  markSent(event: AlertEvent): void;
}

const budgetsMax = 10_000;

/** Daily budgets of users and run budgets concern their callers, not operators. */
const isCallers = (scope: string) => !/^(?:app|group|key):/.test(scope);

export function createRefusals(): Refusals {
  /** The amount needed, by budget; undefined once sent. */
  const neededByBudget = new Map<string, bigint | undefined>();
  return {
    observer: {
      budgetRefused({ budgets, neededPicoUsd }: BudgetRefusal) {
        for (const budget of budgets) {
          const budgetKey = budgetKeyOf(budget);
          if (neededByBudget.has(budgetKey) || isCallers(budget.scope)) continue;
          if (neededByBudget.size >= budgetsMax) neededByBudget.clear();
          neededByBudget.set(budgetKey, neededPicoUsd);
        }
      },
    },
    async events(store, nowMs) {
      if (![...neededByBudget.values()].some((needed) => needed !== undefined)) return [];
      const uses = await createUseReader(store)(periodsAt(nowMs));
      const useByBudget = new Map(uses.map((use) => [use.budgetKey, use]));
      return [...neededByBudget].flatMap(([budgetKey, needed]) => {
        const use = useByBudget.get(budgetKey);
        // A period that is over and a removed budget get no event.
        if (use === undefined) neededByBudget.delete(budgetKey);
        if (needed === undefined || use?.capPicoUsd === undefined) return [];
        return [refusalOf(use, use.capPicoUsd, needed, nowMs)];
      });
    },
    markSent({ subject: scope, period }) {
      neededByBudget.set(budgetKeyOf({ scope, period }), undefined);
    },
  };
}

function refusalOf(use: BudgetUse, cap: bigint, needed: bigint, atMs: number): AlertEvent {
  const { scope: subject, period, apps } = use;
  return {
    ...{ type: 'budget.refused', subject, period, mark: '', atMs, apps },
    data: { ...budgetData(use, cap), neededUsd: formatUsd(needed) },
  };
}
