import type { ListedApp, Overview } from '@model-gateway/server/operations/documents';
import type { Budgeted, ShownBudget } from '../../text/budget-sums.ts';

/** An app with its settings and today's spend. */
export interface AppLine extends Budgeted {
  readonly settings: ListedApp;
  readonly leftUsd: string | null;
  /** The forecast reaches the budget before it resets. */
  readonly isTight: boolean;
}

export interface ShownLine extends AppLine {
  readonly shown: ShownBudget;
}

/** Today's amounts are 0 until they arrive. */
export function linesOf(
  apps: readonly ListedApp[],
  overview: Overview | undefined,
): readonly AppLine[] {
  const amounts = new Map(overview?.apps.map((app) => [app.app, app]));
  return apps.map((settings) => {
    const { name, dailyBudgetUsd } = settings;
    const today = amounts.get(name);
    const {
      capUsd = dailyBudgetUsd,
      spentUsd = '0',
      heldUsd = '0',
      leftUsd = dailyBudgetUsd,
    } = today ?? {};
    const isTight = Boolean(today?.forecast.exhaustedAt);
    return { settings, name, capUsd, spentUsd, heldUsd, leftUsd, isTight };
  });
}
