import {
  appSettings,
  type FormsOf,
  formOf,
  type Setting,
  type SettingKinds,
  settingKeys,
} from '../../domain/app.ts';
import { tagsText } from '../../reports/tags.ts';
import { dollarsOr, factLines, tableLines, yesNo } from '../description/text-lines.ts';
import type { CappedDay, ListedApp } from '../documents/apps.ts';
import type { AppDocument, AppForms } from './app-document.ts';

export function appsLines(apps: readonly ListedApp[]): readonly string[] {
  const table = tableLines(
    ['app', 'enabled', 'daily budget', 'models', 'credits a month', 'tags', 'origin', 'project'],
    apps.map((app) => [
      app.name,
      yesNo(app.enabled),
      dollarsOr(app.dailyBudgetUsd, 'none'),
      app.models?.join(',') ?? 'all',
      app.credits?.monthlyGrant ?? 'none',
      tagsText(app.tags) || 'none',
      app.drift.length === 0 ? app.origin : `${app.origin} *`,
      app.project,
    ]),
    'No apps. Add apps to the configuration, or run "apps create".',
  );
  const notes = apps.flatMap(({ name, drift }) =>
    drift.length === 0 ? [] : [`* ${name} differs from the file: ${drift.join(', ')}`],
  );
  return notes.length === 0
    ? table
    : [...table, '', ...notes, 'Run "config diff" to compare both.'];
}

const asConfigured = 'from the configuration';

const words: FormsOf<Record<keyof SettingKinds, string>, AppForms> = {
  flag: yesNo,
  optionalFlag: (value) => (value === null ? asConfigured : yesNo(value)),
  count: String,
  optionalCount: (value) => String(value ?? asConfigured),
  rate: (value) => (value === null ? 'no limit' : `${value} a second`),
  unpriced: (policy) => policy ?? asConfigured,
  budget: (usd) => dollarsOr(usd, 'none'),
  models: (models) => models?.join(', ') ?? 'all',
  credits: (credits) =>
    credits === null
      ? 'not metered'
      : `${credits.monthlyGrant} a month, $${credits.usdPerCredit} each`,
  project: (project) => project,
  plans: (plans) => JSON.stringify(plans),
  tags: (tags) => tagsText(tags) || 'none',
};

export function raisedLines({ app, day, capUsd, dailyBudgetUsd, until }: CappedDay) {
  return [
    `${app} may spend $${capUsd} on ${day}. From ${until} its daily budget is $${dailyBudgetUsd} again.`,
  ];
}

export function appLines(app: AppDocument): readonly string[] {
  const settings = settingKeys.flatMap((key): (readonly [string, string])[] => {
    const { label }: Setting = appSettings[key];
    return label === undefined ? [] : [[label, formOf(words, key, app[appSettings[key].name])]];
  });
  return factLines([
    ['app', app.name],
    ...settings,
    ['origin', app.origin === 'file' ? 'configuration file' : 'command line'],
  ]);
}
