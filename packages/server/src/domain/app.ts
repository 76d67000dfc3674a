import type { CreditsConfig } from './credits.ts';
import type { Plans } from './plan.ts';
import type { UnpricedPolicy } from './unpriced-policy.ts';

/**
 * One entry of `apps`. A key that the file does not name is absent here, since the file sets only
 * what it names.
 */
export interface AppConfig {
  readonly name: string;
  readonly enabled?: boolean;
  readonly dailyBudgetPicoUsd?: bigint;
  readonly models?: readonly string[];
  readonly credits?: CreditsConfig;
  /** True is the older word for `unpriced: refuse`. */
  readonly requirePriced?: boolean;
  readonly unpriced?: UnpricedPolicy;
  readonly storeAnswers?: boolean;
  readonly project?: string;
  readonly plans?: Partial<Plans>;
}
