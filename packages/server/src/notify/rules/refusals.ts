import { formatUsd } from '../../lib/money.ts';
import type { Observer, RefusedByBudget } from '../../lib/observer.ts';
import type { Store } from '../../store/port/port.ts';
import type { AlertEvent } from '../events.ts';
import { type BudgetUse, budgetData, createUseReader, periodsAt, placeOf } from './budget-use.ts';

/** For each budget and period, as this process saw it. */
export interface Refusals {
  readonly observer: Observer;
  /** Not sent yet. */
  events(store: Pick<Store, 'read'>, nowMs: number): Promise<readonly AlertEvent[]>;
  told(event: AlertEvent): void;
}

const placesMax = 10_000;

/** A user's day and a run concern their callers, not operators. */
const isCallers = (scope: string) => !/^(?:app|group|key):/.test(scope);

export function createRefusals(): Refusals {
  /** The amount needed, by place; undefined once sent. */
  const places = new Map<string, bigint | undefined>();
  return {
    observer: {
      budgetRefused({ budgets, neededPicoUsd }: RefusedByBudget) {
        for (const budget of budgets) {
          const place = placeOf(budget);
          if (places.has(place) || isCallers(budget.scope)) continue;
          if (places.size >= placesMax) places.clear();
          places.set(place, neededPicoUsd);
        }
      },
    },
    async events(store, nowMs) {
      if (![...places.values()].some((needed) => needed !== undefined)) return [];
      const uses = await createUseReader(store)(periodsAt(nowMs));
      const known = new Map(uses.map((use) => [use.place, use]));
      return [...places].flatMap(([place, needed]) => {
        const use = known.get(place);
        // Of a period that is over, or of a budget that is gone, there is nothing to tell.
        if (use === undefined) places.delete(place);
        if (needed === undefined || use?.capPicoUsd === undefined) return [];
        return [refusalOf(use, use.capPicoUsd, needed, nowMs)];
      });
    },
    told({ subject: scope, period }) {
      places.set(placeOf({ scope, period }), undefined);
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
