import { createHash } from 'node:crypto';
import {
  type AppConfig,
  type AppSettings,
  appSettings,
  type FormsOf,
  formOf,
  type SettingsAs,
  settingKeys,
} from '../../domain/app.ts';
import { formatUsd } from '../../lib/money.ts';
import { type AppRow, selectApps } from '../../store/queries/registry.ts';
import type { AdminContext } from '../context/context.ts';
import type { ListedApp } from '../documents/apps.ts';
import { type CreditsDocument, creditsDocument, liveSettings } from './app-settings.ts';
import { type PlannedApp, planFile } from './file-plan.ts';

export interface AppForms {
  readonly flag: boolean;
  /** Null where the app follows the configuration. */
  readonly optionalFlag: boolean | null;
  readonly count: number;
  readonly optionalCount: number | null;
  /** Null without its own rate. */
  readonly rate: number | null;
  readonly unpriced: NonNullable<AppSettings['unpriced']> | null;
  /** Null without a budget. */
  readonly budget: string | null;
  /** Null: every model. */
  readonly models: readonly string[] | null;
  /** Null without metering. */
  readonly credits: CreditsDocument | null;
  readonly project: string;
  readonly plans: AppSettings['plans'];
  readonly tags: AppSettings['tags'];
}

export interface AppDocument extends SettingsAs<AppForms>, Pick<AppRow, 'name' | 'origin'> {
  readonly requirePriced: boolean;
}

const forms: FormsOf<AppForms> = {
  flag: (value) => value,
  optionalFlag: (value) => value ?? null,
  count: (value) => value,
  optionalCount: (value) => value ?? null,
  rate: (value) => value ?? null,
  unpriced: (policy) => policy ?? null,
  budget: (amount) => (amount === undefined ? null : formatUsd(amount)),
  models: (models) => models ?? null,
  credits: (credits) => (credits === undefined ? null : creditsDocument(credits)),
  project: (project) => project ?? 'none',
  plans: (plans) => plans,
  tags: (tags) => tags,
};

export function appDocument(row: AppRow): AppDocument;
export function appDocument(row: AppRow): object {
  const settings = liveSettings(row);
  const fields = settingKeys.map((key): [string, unknown] => [
    appSettings[key].name,
    formOf(forms, key, settings[key]),
  ]);
  const requirePriced = row.unpriced === 'refuse';
  const at = settingKeys.indexOf('unpriced');
  return {
    name: row.name,
    ...Object.fromEntries(fields.toSpliced(at, 0, ['requirePriced', requirePriced])),
    origin: row.origin,
  };
}

/** Changes if and only if a setting changes. */
export function settingsTag(app: AppDocument): string {
  const named: Readonly<Record<string, unknown>> = { ...app };
  const names = [
    'name',
    'origin',
    'requirePriced',
    ...settingKeys.map((key) => appSettings[key].name),
  ];
  const text = JSON.stringify(names.map((name) => named[name]));
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export async function listApps(
  { store, company }: AdminContext,
  declared: readonly AppConfig[],
): Promise<readonly ListedApp[]> {
  const rows = await store.read(selectApps(company));
  const drift = new Map(planFile(declared, rows, []).map((app) => [app.name, driftOf(app)]));
  return rows.map((row) => ({ ...appDocument(row), drift: drift.get(row.name) ?? [] }));
}

function driftOf(planned: PlannedApp): readonly string[] {
  switch (planned.kind) {
    case 'missing':
    case 'unused':
      return planned.row.isEnabled ? ['missing'] : [];
    case 'change':
      return [...planned.differences, ...planned.drift].map(({ setting }) => setting);
    case 'same':
      return planned.drift.map(({ setting }) => setting);
    default:
      return [];
  }
}
