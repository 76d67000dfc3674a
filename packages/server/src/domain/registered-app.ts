import type { AppSettings } from './app.ts';
import type { CreditsConfig } from './credits.ts';
import type { KeyName } from './key-name.ts';

export interface App extends Omit<AppSettings, 'enabled' | 'models' | 'project'> {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Undefined: every model. */
  readonly models: ReadonlySet<string> | undefined;
  /** A new value of a credit takes effect with a month; this value applies until then. */
  readonly earlierCredits: { readonly until: string; readonly credits: CreditsConfig } | undefined;
  readonly project: string;
  /** By platform name; never another app's project. */
  readonly projectIds: ReadonlyMap<string, string>;
  /** Why a bound project must not be used, by platform name. */
  readonly sharedProjects: ReadonlyMap<string, string>;
}

/** UTC, `YYYY-MM`. */
export function creditsIn(
  app: Pick<App, 'credits' | 'earlierCredits'>,
  month: string,
): CreditsConfig | undefined {
  const { credits, earlierCredits } = app;
  if (credits === undefined || earlierCredits === undefined) return credits;
  return month < earlierCredits.until ? earlierCredits.credits : credits;
}

/** Without its secret. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly customerId: string;
  readonly parsed: KeyName | undefined;
  /** The first key of the rotation, or its own id. Rate limit and budgets belong to it. */
  readonly lineage: string;
  /** Restricts the app's models; undefined: all of them. */
  readonly models: ReadonlySet<string> | undefined;
  /** From this time on invalid, like a disabled key; undefined: never. */
  readonly expiresAt: number | undefined;
}
