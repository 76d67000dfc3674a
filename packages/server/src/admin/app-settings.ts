import type { AppConfig, AppSettings } from '../domain/app.ts';
import type { Plans } from '../domain/plan.ts';
import { formatUsd } from '../lib/money.ts';
import type { SqlValue } from '../store/port.ts';
import { settingColumns } from '../store/queries/operator-statements.ts';
import type { AppRow } from '../store/queries/registry.ts';
import { creditsDocument } from './app-document.ts';

/** One setting of an app, in each form that it has. */
interface AppSetting<Value> {
  /** Its name in the configuration file, in documents and in messages. */
  readonly name: string;
  /** What is in force. */
  readonly live: (row: AppRow) => Value;
  /** Its columns in `app`. */
  readonly columns: Readonly<Record<string, (value: Value) => SqlValue>>;
  /** In words: a difference between file and store, a line of the log. */
  readonly text: (value: Value) => string;
}

/** Every setting, in the order in which they are shown. */
const table: { readonly [Key in keyof AppSettings]: AppSetting<AppSettings[Key]> } = {
  enabled: {
    name: 'enabled',
    live: (row) => row.isEnabled,
    columns: { enabled: flag },
    text: String,
  },
  dailyBudgetPicoUsd: {
    name: 'dailyBudgetUsd',
    live: (row) => row.dailyBudgetPicoUsd,
    columns: { daily_budget: (amount) => amount ?? null },
    text: (amount) => (amount === undefined ? 'none' : formatUsd(amount)),
  },
  models: {
    name: 'models',
    live: ({ models }) => models && [...models],
    columns: { models: (models) => (models === undefined ? null : JSON.stringify(models)) },
    text: (models) => models?.join(', ') ?? 'all',
  },
  credits: {
    name: 'credits',
    live: (row) => row.credits,
    columns: {
      monthly_grant: (credits) => credits?.monthlyGrantPicoUsd ?? null,
      pico_usd_per_credit: (credits) => credits?.picoUsdPerCredit ?? null,
    },
    text(credits) {
      if (credits === undefined) return 'none';
      const { monthlyGrant, usdPerCredit } = creditsDocument(credits);
      return `${monthlyGrant} a month of $${usdPerCredit}`;
    },
  },
  unpriced: {
    name: 'unpriced',
    live: (row) => row.unpriced,
    // Versions of before know the flag alone.
    columns: {
      require_priced: (policy) => flag(policy === 'refuse'),
      unpriced: (policy) => policy ?? null,
    },
    text: (policy) => policy ?? 'as the configuration says',
  },
  streaming: {
    name: 'streaming',
    live: (row) => row.streaming,
    columns: { streaming: (isOn) => (isOn === undefined ? null : flag(isOn)) },
    text: (isOn) => (isOn === undefined ? 'as the configuration says' : String(isOn)),
  },
  storeAnswers: {
    name: 'storeAnswers',
    live: (row) => row.storeAnswers,
    columns: { store_answers: flag },
    text: String,
  },
  project: {
    name: 'project',
    // The registry has a name also where it was given none.
    live: (row) => row.project,
    columns: { project: (project) => project ?? null },
    text: (project) => project ?? 'none',
  },
  plans: {
    name: 'plans',
    live: (row) => row.plans,
    columns: { plans: (plans) => (isEmpty(plans) ? null : JSON.stringify(plans)) },
    text: (plans) => (isEmpty(plans) ? 'none' : JSON.stringify(plans)),
  },
};

const keys = Object.keys(table).filter((key): key is keyof AppSettings => key in table);

/** What a new app has unless its command says otherwise. */
export const defaultSettings: AppSettings = {
  enabled: true,
  dailyBudgetPicoUsd: undefined,
  models: undefined,
  credits: undefined,
  unpriced: undefined,
  streaming: undefined,
  storeAnswers: true,
  project: undefined,
  plans: {},
};

function flag(value: boolean): SqlValue {
  return value ? 1 : 0;
}

function isEmpty(plans: Partial<Plans>): boolean {
  return Object.keys(plans).length === 0;
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

/** An app's settings in force. */
export function liveSettings(row: AppRow): AppSettings {
  const settings = { ...defaultSettings };
  for (const key of keys) setLive(settings, key, row);
  return settings;
}

function setLive<Key extends keyof AppSettings>(
  settings: { -readonly [Name in keyof AppSettings]: AppSettings[Name] },
  key: Key,
  row: AppRow,
) {
  settings[key] = table[key].live(row);
}

/** The values of a row of `app`, as {@link settingColumns} has them. */
export function settingValues(settings: AppSettings): SqlValue[] {
  const values = new Map(keys.flatMap((key) => columnValues(key, settings)));
  return settingColumns.map((column) => values.get(column) ?? null);
}

function columnValues<Key extends keyof AppSettings>(key: Key, settings: AppSettings) {
  const columns = Object.entries(table[key].columns);
  return columns.map(([column, read]) => [column, read(settings[key])] as const);
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
  const texts = keys.filter((key) => key in named).map((key) => textEntry(key, settings));
  return new Map(texts);
}

function textEntry<Key extends keyof AppSettings>(key: Key, settings: AppSettings) {
  const { name, text } = table[key];
  return [name, text(settings[key])] as const;
}
