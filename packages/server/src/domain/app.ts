import type { CreditsConfig } from './credits.ts';
import type { Plans } from './plan.ts';
import type { UnpricedPolicy } from './unpriced-policy.ts';

/** Everything that an operator sets on an app. */
export interface AppSettings {
  readonly enabled: boolean;
  /** Undefined for no budget. */
  readonly dailyBudgetPicoUsd: bigint | undefined;
  /** Undefined where it may use every model. */
  readonly models: readonly string[] | undefined;
  /** Undefined where it meters no credits. */
  readonly credits: CreditsConfig | undefined;
  /** Undefined for the configuration's own. */
  readonly unpriced: UnpricedPolicy | undefined;
  /** Undefined for the configuration's own. */
  readonly streaming: boolean | undefined;
  readonly storeAnswers: boolean;
  /** Undefined for the name that the company and the app make. */
  readonly project: string | undefined;
  readonly plans: Partial<Plans>;
}

/**
 * One entry of `apps`. A key that the file does not name is absent here, since the file sets only
 * what it names.
 */
export interface AppConfig extends Partial<AppSettings> {
  readonly name: string;
  /** True is the older word for `unpriced: refuse`. */
  readonly requirePriced?: boolean;
}
