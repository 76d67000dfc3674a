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

const asConfigured = 'from the configuration';

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

export interface CreditsDocument {
  readonly monthlyGrant: string;
  readonly usdPerCredit: string;
}

export function creditsDocument({
  monthlyGrantPicoUsd,
  picoUsdPerCredit,
}: CreditsConfig): CreditsDocument {
  return {
    monthlyGrant: formatCredits(monthlyGrantPicoUsd, picoUsdPerCredit),
    usdPerCredit: formatUsd(picoUsdPerCredit),
  };
}

export const defaultSettings = settingsBy((key) => appSettings[key].initial);

/** The registry has a project name even if none was set. */
export function liveSettings({ isEnabled, models, ...same }: AppRow): AppSettings {
  const settings = { ...same, enabled: isEnabled, models: models && [...models] };
  return settingsBy((key) => settings[key]);
}

function settingsBy(read: (key: SettingKey) => unknown): AppSettings;
function settingsBy(read: (key: SettingKey) => unknown): object {
  return Object.fromEntries(settingKeys.map((key) => [key, read(key)]));
}

export type NamedValues = Omit<AppConfig, 'name'>;

/** Returns only the settings that the file names. */
export function settingsOf(named: NamedValues): Partial<AppSettings> {
  const { requirePriced, ...settings } = named;
  if (requirePriced === undefined || settings.unpriced !== undefined) return settings;
  return { ...settings, unpriced: requirePriced ? 'refuse' : undefined };
}

export function settingsJson(settings: Partial<AppSettings> | NamedValues): string {
  return JSON.stringify(settings, (_key, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

export interface SettingDifference {
  readonly setting: string;
  readonly store: string;
  readonly file: string;
}

/** Returns the settings of `target` that differ in the store, in the configuration file's words. */
export function differences(
  row: AppRow,
  target: Partial<AppSettings>,
): readonly SettingDifference[] {
  const live = settingTexts(liveSettings(row));
  return [...settingTexts(target)].flatMap(([setting, file]) => {
    const store = live.get(setting) ?? 'none';
    return store === file ? [] : [{ setting, store, file }];
  });
}

/** Returns only named settings, by their names in the configuration file. */
export function settingTexts(named: Partial<AppSettings>): ReadonlyMap<string, string> {
  const settings = { ...defaultSettings, ...named };
  const keys = settingKeys.filter((key) => key in named);
  return new Map(keys.map((key) => [appSettings[key].name, formOf(texts, key, settings[key])]));
}
