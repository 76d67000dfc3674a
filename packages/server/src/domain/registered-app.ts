import type { AppSettings } from './app.ts';
import type { CreditsConfig } from './credits.ts';
import type { KeyName } from './key-name.ts';

/** A registered app as every call sees it: its settings, and what follows from them. */
export interface App extends Omit<AppSettings, 'enabled' | 'models' | 'project'> {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Undefined when the app may use every model. */
  readonly models: ReadonlySet<string> | undefined;
  /** A new value of a credit takes effect with a month: what holds until then. */
  readonly earlierCredits: { readonly until: string; readonly credits: CreditsConfig } | undefined;
  /** The name of its billing project. */
  readonly project: string;
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
  /** The first key that it was rotated from, or its own id: plan and budgets are this one's. */
  readonly lineage: string;
  /** The only models that it may ask of those of its app; undefined for all of them. */
  readonly models: ReadonlySet<string> | undefined;
  /** From when on it is unknown, as a disabled one; undefined for never. */
  readonly expiresAt: number | undefined;
}
