import type { CreditsConfig } from './credits.ts';
import type { KeyName } from './key-name.ts';
import type { Plans } from './plan.ts';
import type { UnpricedPolicy } from './unpriced-policy.ts';

/** A registered app as every call sees it. */
export interface App {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Undefined for an app without a budget. */
  readonly dailyBudgetPicoUsd: bigint | undefined;
  /** Undefined when the app may use every model. */
  readonly models: ReadonlySet<string> | undefined;
  /** Undefined when the app does not meter credits. */
  readonly credits: CreditsConfig | undefined;
  /** A new value of a credit takes effect with a month: what holds until then. */
  readonly earlierCredits: { readonly until: string; readonly credits: CreditsConfig } | undefined;
  /** Undefined where the app follows the configuration. */
  readonly unpriced: UnpricedPolicy | undefined;
  /** Whether answers may be told as they come; undefined as with `unpriced`. */
  readonly streaming: boolean | undefined;
  readonly storeAnswers: boolean;
  /** The name of its billing project. */
  readonly project: string;
  readonly plans: Partial<Plans>;
  /** The ids of its project, by the name of the platform; no project that is another app's too. */
  readonly projectIds: ReadonlyMap<string, string>;
  /** Why a project that it is bound to must not be used, by the name of the platform. */
  readonly sharedProjects: ReadonlyMap<string, string>;
}

/** What holds for an app's credits in a UTC month, `YYYY-MM`. */
export function creditsIn(
  app: Pick<App, 'credits' | 'earlierCredits'>,
  month: string,
): CreditsConfig | undefined {
  const { credits, earlierCredits } = app;
  if (credits === undefined || earlierCredits === undefined) return credits;
  return month < earlierCredits.until ? earlierCredits.credits : credits;
}

/** An API key, without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  /** What the name says; undefined for a name off the convention. */
  readonly parsed: KeyName | undefined;
}
