import type { BudgetDay } from '../books/rows.ts';
import { type Clock, utcDayOf } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import { madeAt } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import { readClosed, summaryOf } from '../registry/closed-budgets.ts';
import type { Store } from '../store/port/port.ts';
import {
  type CountedBudget,
  type OpenHolds,
  type PlanUseOfKey,
  selectBudgets,
  selectCounted,
  selectOpenHolds,
  selectPlanUses,
} from '../store/queries/metrics.ts';
import { selectRollupState } from '../store/sums/rollups.ts';

export interface StoreMetrics {
  readonly budgets: readonly BudgetDay[];
  readonly holds: readonly OpenHolds[];
  readonly counted: readonly CountedBudget[];
  readonly planUses: readonly PlanUseOfKey[];
  /** Budgets that a restore keeps closed: definitions, runs, and for each app its wallets. */
  readonly closed: number;
  /** Age of the newest call in the rollups; undefined before the first. */
  readonly sumsAgeMs: number | undefined;
}

const cacheMs = 5_000;

/** After this wait, metrics omit the store's part. */
const answerMsMax = 2_000;

/** Never reads twice at once; undefined while the store is unavailable. */
export function createStoreMetrics(parts: {
  readonly store: Pick<Store, 'read'>;
  /** The store's clock, which defines days. */
  readonly clock: Clock;
  readonly log: Log;
}): () => Promise<StoreMetrics | undefined> {
  const { store, clock } = parts;
  const warn = createRareErrorWarning(
    parts,
    'store metrics are unavailable; all other metrics are served',
  );
  let cached: { readonly amounts: StoreMetrics; readonly atMs: number } | undefined;
  let pending: Promise<StoreMetrics | undefined> | undefined;
  return async () => {
    if (cached !== undefined && clock.monotonic() - cached.atMs < cacheMs) return cached.amounts;
    pending ??= read().finally(() => {
      pending = undefined;
    });
    const amounts = pending;
    return (await within(clock, answerMsMax, amounts)) ? amounts : undefined;
  };

  async function read(): Promise<StoreMetrics | undefined> {
    try {
      const nowMs = clock.now();
      const day = utcDayOf(nowMs);
      const [budgets, holds, counted, planUses, state, closed] = await Promise.all([
        store.read(selectBudgets(day)),
        store.read(selectOpenHolds),
        store.read(selectCounted(day)),
        store.read(selectPlanUses(day)),
        store.read(selectRollupState),
        readClosed((query) => store.read(query), nowMs),
      ]);
      const rolledUntil = state?.rolledUntil ?? '';
      const sumsAgeMs = rolledUntil === '' ? undefined : nowMs - madeAt(rolledUntil);
      const { count } = summaryOf(closed);
      const amounts = { budgets, holds, counted, planUses, sumsAgeMs, closed: count };
      cached = { amounts, atMs: clock.monotonic() };
      return amounts;
    } catch (error) {
      warn(error);
      return undefined;
    }
  }
}
