import { formatUsd } from '../lib/money.ts';
import type { AppRow } from '../registry/queries.ts';
import { creditsDocument } from './app-document.ts';
import { type AppSettings, liveSettings } from './app-settings.ts';

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
export function settingTexts(settings: Partial<AppSettings>): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const put = <Name extends keyof AppSettings>(
    name: Name,
    shown: string,
    text: (value: AppSettings[Name] | undefined) => string,
  ) => {
    if (name in settings) texts.set(shown, text(settings[name]));
  };
  put('enabled', 'enabled', String);
  put('dailyBudgetPicoUsd', 'dailyBudgetUsd', (amount) =>
    amount === undefined ? 'none' : formatUsd(amount),
  );
  put('models', 'models', (models) => models?.join(', ') ?? 'all');
  put('credits', 'credits', (credits) => {
    if (credits === undefined) return 'none';
    const { monthlyGrant, usdPerCredit } = creditsDocument(credits);
    return `${monthlyGrant} a month of $${usdPerCredit}`;
  });
  put('unpriced', 'unpriced', (policy) => policy ?? 'as the configuration says');
  put('storeAnswers', 'storeAnswers', String);
  put('project', 'project', (project) => project ?? 'none');
  put('plans', 'plans', (plans = {}) =>
    Object.keys(plans).length === 0 ? 'none' : JSON.stringify(plans),
  );
  return texts;
}
