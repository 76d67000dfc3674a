import type { AppConfig, AppSettings } from '../../domain/app.ts';
import { listedNames } from '../../lib/nearest.ts';
import type { ApiKeyRow, AppRow } from '../../store/queries/registry.ts';
import { differences, type SettingDifference, settingsJson, settingsOf } from './app-settings.ts';

/**
 * For enabled apps with a working key that left the file: startup fails, serves them as stored, or
 * disables them.
 */
export const missingAppsPolicies = ['refuse', 'keep', 'disable'] as const;
export type MissingAppsPolicy = (typeof missingAppsPolicies)[number];

export type PlannedApp =
  | { readonly kind: 'create'; readonly name: string; readonly app: AppConfig }
  /** The file changed since its last reading; its new values are set. */
  | {
      readonly kind: 'change';
      readonly name: string;
      readonly row: AppRow;
      readonly settings: Partial<AppSettings>;
      readonly fileValues: string;
      readonly differences: readonly SettingDifference[];
      readonly drift: readonly SettingDifference[];
    }
  /** The file is unchanged; `drift` is from commands and stays. */
  | { readonly kind: 'same'; readonly name: string; readonly drift: readonly SettingDifference[] }
  /** The command line created it: the file does not change it. */
  | { readonly kind: 'command'; readonly name: string; readonly isDeclared: boolean }
  /** It left the file, and still has working keys. */
  | { readonly kind: 'missing'; readonly name: string; readonly row: AppRow }
  /** It left the file, and has no working key. */
  | { readonly kind: 'unused'; readonly name: string; readonly row: AppRow }
  /** It left the file before and is disabled. */
  | { readonly kind: 'left'; readonly name: string };

/** `file_values` of an app that left the file. */
export const removedFromFile = 'left';

/** `keys` decide which apps can be called. */
export function planFile(
  declared: readonly AppConfig[],
  rows: readonly AppRow[],
  keys: readonly Pick<ApiKeyRow, 'parsed' | 'customerId' | 'isEnabled'>[],
): readonly PlannedApp[] {
  const known = new Map(rows.map((row) => [row.name, row]));
  const names = new Set(declared.map(({ name }) => name));
  const withKey = new Set(
    keys.filter((key) => key.isEnabled).map((key) => key.parsed?.app ?? key.customerId),
  );
  return [
    ...declared.map((app) => planDeclared(app, known.get(app.name))),
    ...rows.filter(({ name }) => !names.has(name)).map((row) => planOther(row, withKey)),
  ];
}

function planDeclared(app: AppConfig, row: AppRow | undefined): PlannedApp {
  const { name, ...named } = app;
  if (row === undefined) return { kind: 'create', name, app };
  if (row.origin === 'command') return { kind: 'command', name, isDeclared: true };
  const fileValues = settingsJson(named);
  const fileSettings = settingsOf(named);
  const all = differences(row, fileSettings);
  if (fileValues === row.fileValues) return { kind: 'same', name, drift: all };
  const settings = newSettings(named, row.fileValues);
  const changed = differences(row, settings);
  const isSet = new Set(changed.map(({ setting }) => setting));
  const drift = all.filter(({ setting }) => !isSet.has(setting));
  return { kind: 'change', name, row, settings, fileValues, differences: changed, drift };
}

/** Values that changed since the last reading; an app that comes back is enabled. */
function newSettings(
  named: Omit<AppConfig, 'name'>,
  fileValues: string | undefined,
): Partial<AppSettings> {
  const wasRemoved = fileValues === removedFromFile;
  const last: Record<string, unknown> = wasRemoved ? {} : JSON.parse(fileValues ?? '{}');
  const now: Record<string, unknown> = JSON.parse(settingsJson(named));
  const isNew = (key: string) => JSON.stringify(now[key]) !== JSON.stringify(last[key]);
  const changed = settingsOf(
    Object.fromEntries(Object.entries(named).filter(([key]) => isNew(key))),
  );
  return wasRemoved ? { enabled: true, ...changed } : changed;
}

function planOther(row: AppRow, withKey: ReadonlySet<string>): PlannedApp {
  const { name } = row;
  if (row.origin === 'command') return { kind: 'command', name, isDeclared: false };
  // A command that enabled the app later has precedence over the file.
  if (row.fileValues === removedFromFile) return { kind: 'left', name };
  return { kind: row.isEnabled && withKey.has(name) ? 'missing' : 'unused', name, row };
}

export function missingSentence(names: readonly string[], file: string): string {
  const [areEnabled, haveKeys, are] =
    names.length === 1
      ? ['this app is', 'has an active key', 'is']
      : ['these apps are', 'have active keys', 'are'];
  return [
    `${areEnabled} enabled in the store and ${haveKeys}, but ${are} missing from ${file}: ${listedNames(names)}`,
    'Nothing was changed. Check with "model-gateway config diff" that this is the right file for this store. If it is:',
    '  add each app to the file with "enabled: false" to disable it;',
    '  or start once with --disable-missing to disable them all;',
    '  or start with --keep-missing (MODEL_GATEWAY_MISSING_APPS=keep) to keep them with their stored settings.',
  ].join('\n');
}
