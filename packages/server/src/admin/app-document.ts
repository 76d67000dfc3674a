import { formatCredits, formatUsd } from '../lib/money.ts';
import type { AppRow } from '../store/queries/registry.ts';

/** An app as operators read it; money and credits are exact decimal texts. */
export interface AppDocument {
  readonly name: string;
  readonly enabled: boolean;
  /** Null for an app without a budget. */
  readonly dailyBudgetUsd: string | null;
  /** Null when the app may use every model. */
  readonly models: readonly string[] | null;
  /** Null when the app does not meter credits. */
  readonly credits: { readonly monthlyGrant: string; readonly usdPerCredit: string } | null;
  /** True where calls of models without a price are refused. */
  readonly requirePriced: boolean;
  /** Null where the app follows `unpriced` of the configuration. */
  readonly unpriced: AppRow['unpriced'] | null;
  /** Null where the app follows `streaming` of the configuration. */
  readonly streaming: boolean | null;
  readonly storeAnswers: boolean;
  readonly project: string;
  /** The plans that the app has of its own, by role. */
  readonly plans: AppRow['plans'];
  readonly origin: AppRow['origin'];
}

/** What `apps list`, `apps create` and `apps update` print of an app. */
export function appDocument(row: AppRow): AppDocument {
  const { dailyBudgetPicoUsd, models } = row;
  return {
    name: row.name,
    enabled: row.isEnabled,
    dailyBudgetUsd: dailyBudgetPicoUsd === undefined ? null : formatUsd(dailyBudgetPicoUsd),
    models: models === undefined ? null : [...models],
    credits: row.credits === undefined ? null : creditsDocument(row.credits),
    requirePriced: row.unpriced === 'refuse',
    unpriced: row.unpriced ?? null,
    streaming: row.streaming ?? null,
    storeAnswers: row.storeAnswers,
    project: row.project,
    plans: row.plans,
    origin: row.origin,
  };
}

/** An app's credits as the configuration file would say them. */
export function creditsDocument({
  monthlyGrantPicoUsd,
  picoUsdPerCredit,
}: NonNullable<AppRow['credits']>): NonNullable<AppDocument['credits']> {
  return {
    monthlyGrant: formatCredits(monthlyGrantPicoUsd, picoUsdPerCredit),
    usdPerCredit: formatUsd(picoUsdPerCredit),
  };
}
