import {
  type AppConfig,
  type AppSettings,
  appSettings,
  type FormsOf,
  formOf,
  type SettingKey,
  type SettingKinds,
  settingKeys,
} from '../../domain/app.ts';
import type { CreditsConfig } from '../../domain/credits.ts';
import { formatCredits, formatUsd } from '../../lib/money.ts';
import { tagsText } from '../../reports/tags.ts';
import type { AppRow } from '../../store/queries/registry.ts';

const asConfigured = 'as the configuration says';

/** Each kind in words: a difference between file and store, a line of the log. */
const texts: FormsOf<Record<keyof SettingKinds, string>> = {
  flag: String,
  optionalFlag: (value) => String(value ?? asConfigured),
  count: String,
  optionalCount: (value) => String(value ?? asConfigured),
  rate: (value) => String(value ?? 'none'),
  unpriced: (policy) => policy ?? asConfigured,
  budget: (amount) => (amount === undefined ? 'none' : formatUsd(amount)),
  models: (models) => models?.join(', ') ?? 'all',
  credits(credits) {
    if (credits === undefined) return 'none';
    const { monthlyGrant, usdPerCredit } = creditsDocument(credits);
    return `${monthlyGrant} a month of $${usdPerCredit}`;
  },
  project: (project) => project ?? 'none',
  plans: (plans) => (Object.keys(plans).length === 0 ? 'none' : JSON.stringify(plans)),
  tags: (tags) => tagsText(tags) || 'none',
};

/** Credits as the configuration file would say them. */
export interface CreditsDocument {
  readonly monthlyGrant: string;
  readonly usdPerCredit: string;
}

/** An app's credits as the configuration file would say them. */
export function creditsDocument({
  monthlyGrantPicoUsd,
  picoUsdPerCredit,
}: CreditsConfig): CreditsDocument {
  return {
    monthlyGrant: formatCredits(monthlyGrantPicoUsd, picoUsdPerCredit),
    usdPerCredit: formatUsd(picoUsdPerCredit),
  };
}

/** What a new app has unless its command says otherwise. */
export const defaultSettings = settingsBy((key) => appSettings[key].initial);

/** An app's settings in force. The registry has a project's name also where it was given none. */
export function liveSettings({ isEnabled, models, ...same }: AppRow): AppSettings {
  const settings = { ...same, enabled: isEnabled, models: models && [...models] };
  return settingsBy((key) => settings[key]);
}

function settingsBy(read: (key: SettingKey) => unknown): AppSettings;
function settingsBy(read: (key: SettingKey) => unknown): object {
  return Object.fromEntries(settingKeys.map((key) => [key, read(key)]));
}

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

/** A setting of an app that two sides say differently, as the configuration file names it. */
export interface SettingDifference {
  readonly setting: string;
  readonly store: string;
  readonly file: string;
}

/** What of `wanted` is not so in the store, in the words of the configuration file. */
export function differences(
  row: AppRow,
  wanted: Partial<AppSettings>,
): readonly SettingDifference[] {
  const live = settingTexts(liveSettings(row));
  return [...settingTexts(wanted)].flatMap(([setting, file]) => {
    const store = live.get(setting) ?? 'none';
    return store === file ? [] : [{ setting, store, file }];
  });
}

/** Settings by their names in the configuration file, each as a text; only those that are named. */
export function settingTexts(named: Partial<AppSettings>): ReadonlyMap<string, string> {
  const settings = { ...defaultSettings, ...named };
  const keys = settingKeys.filter((key) => key in named);
  return new Map(keys.map((key) => [appSettings[key].name, formOf(texts, key, settings[key])]));
}
