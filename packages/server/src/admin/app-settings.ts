import type { AppConfig } from '../domain/app.ts';
import type { CreditsConfig } from '../domain/credits.ts';
import type { Plans } from '../domain/plan.ts';
import type { UnpricedPolicy } from '../domain/unpriced-policy.ts';
import type { AppRow } from '../registry/queries.ts';
import { optionalText } from '../store/columns.ts';
import type { Query, SqlValue } from '../store/port.ts';

/** Everything that an operator sets on an app. */
export interface AppSettings {
  readonly enabled: boolean;
  readonly dailyBudgetPicoUsd: bigint | undefined;
  readonly models: readonly string[] | undefined;
  readonly credits: CreditsConfig | undefined;
  /** Undefined for the configuration's own. */
  readonly unpriced: UnpricedPolicy | undefined;
  readonly storeAnswers: boolean;
  /** Undefined for the name that the company and the app make. */
  readonly project: string | undefined;
  readonly plans: Partial<Plans>;
}

/** What a new app has where nobody says otherwise. */
export const defaultSettings: AppSettings = {
  enabled: true,
  dailyBudgetPicoUsd: undefined,
  models: undefined,
  credits: undefined,
  unpriced: undefined,
  storeAnswers: true,
  project: undefined,
  plans: {},
};

/** What the configuration file names of an app. */
export type NamedValues = Omit<AppConfig, 'name'>;

/** The settings that the configuration file names, and no others. */
export function settingsOf(named: NamedValues): Partial<AppSettings> {
  const { requirePriced, ...settings } = named;
  if (requirePriced === undefined || settings.unpriced !== undefined) return settings;
  return { ...settings, unpriced: requirePriced ? 'refuse' : undefined };
}

/** Settings as JSON text: amounts are exact decimal strings. */
export function settingsJson(settings: Partial<AppSettings> | NamedValues): string {
  return JSON.stringify(settings, (_key, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** The values of a row of `app`, after its name and origin. */
export function settingValues(settings: AppSettings): SqlValue[] {
  const { credits, models, plans } = settings;
  return [
    settings.enabled ? 1 : 0,
    settings.dailyBudgetPicoUsd ?? null,
    models === undefined ? null : JSON.stringify(models),
    credits?.monthlyGrantPicoUsd ?? null,
    credits?.picoUsdPerCredit ?? null,
    settings.unpriced === 'refuse' ? 1 : 0,
    settings.storeAnswers ? 1 : 0,
    settings.project ?? null,
    Object.keys(plans).length === 0 ? null : JSON.stringify(plans),
    settings.unpriced ?? null,
  ];
}

/** The project's name as it was set; undefined for the name that company and app make. */
export function selectProjectName(app: string): Query<string | undefined> {
  return {
    sql: 'select project from app where name = $1',
    values: [app],
    map: ([row]) => (row === undefined ? undefined : optionalText(row, 'project')),
  };
}

/** An app's settings in force; the project has a name also where nobody gave it one. */
export function liveSettings(row: AppRow): AppSettings {
  const { isEnabled, dailyBudgetPicoUsd, models, credits, unpriced, storeAnswers } = row;
  return {
    enabled: isEnabled,
    dailyBudgetPicoUsd,
    models: models === undefined ? undefined : [...models],
    credits,
    unpriced,
    storeAnswers,
    project: row.project,
    plans: row.plans,
  };
}
