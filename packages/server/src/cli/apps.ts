import type { Command } from 'commander';
import { type AppDocument, appDocument } from '../admin/app-document.ts';
import type { AppSettings } from '../admin/app-settings.ts';
import { appRow, createApp, updateApp } from '../admin/apps.ts';
import type { AdminContext } from '../admin/context.ts';
import { type PlannedApp, planFile } from '../admin/file-plan.ts';
import { selectApps } from '../registry/queries.ts';
import { type AppOptions, readCredits, readSettings, withAppOptions } from './app-options.ts';
import { type ChangeOptions, reasonOf, withChangeOptions } from './change-options.ts';
import {
  type CommandContext,
  type CommonOptions,
  readConfig,
  UsageError,
  withApps,
} from './context.ts';
import { dollarsOr, factLines, printDocument, tableLines, yesNo } from './print.ts';
import { withSharedOptions } from './shared-options.ts';

/** `apps list|create|update|enable|disable`: the registry. */
export function registerApps(program: Command, context: CommandContext): void {
  const apps = program.command('apps').description('the apps that may call, and their limits');
  withSharedOptions(apps.command('list').description('list every app')).action(
    (_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<CommonOptions>()),
  );
  withChangeOptions(
    withAppOptions(apps.command('create <name>').description('register an app')),
  ).action((name: string, _options: unknown, command: Command) =>
    create(context, name, command.optsWithGlobals<AppOptions>()),
  );
  withChangeOptions(
    withAppOptions(apps.command('update <name>').description('change what the options name')),
  ).action((name: string, _options: unknown, command: Command) =>
    update(context, name, command.optsWithGlobals<AppOptions>()),
  );
  withChangeOptions(apps.command('enable <name>').description('let an app call again')).action(
    (name: string, _options: unknown, command: Command) =>
      change(context, name, command.optsWithGlobals<ChangeOptions>(), { enabled: true }),
  );
  withChangeOptions(apps.command('disable <name>').description('refuse every call')).action(
    (name: string, _options: unknown, command: Command) =>
      change(context, name, command.optsWithGlobals<ChangeOptions>(), { enabled: false }),
  );
}

async function list(context: CommandContext, options: CommonOptions) {
  const config = readConfig(context, options);
  const rows = await withApps(context, config, ({ store, company }) =>
    store.read(selectApps(company)),
  );
  const drift = new Map(planFile(config.apps, rows, []).map((app) => [app.name, driftOf(app)]));
  const listed = rows.map((row) => ({ ...appDocument(row), drift: drift.get(row.name) ?? [] }));
  printDocument(context, options, listed, appsLines);
}

/** An app as the list has it. */
interface ListedApp extends AppDocument {
  /** What of it is not as the file says, by the file's words; `missing`: the file lacks the app. */
  readonly drift: readonly string[];
}

function driftOf(planned: PlannedApp): readonly string[] {
  const { kind } = planned;
  if (kind === 'missing' || kind === 'unused') return planned.row.isEnabled ? ['missing'] : [];
  const different =
    kind === 'change'
      ? [...planned.differences, ...planned.drift]
      : kind === 'same'
        ? planned.drift
        : [];
  return different.map(({ setting }) => setting);
}

async function create(context: CommandContext, name: string, options: AppOptions) {
  const settings = { ...readSettings(options), ...readCredits(options, undefined) };
  const config = readConfig(context, options);
  const work = (admin: AdminContext) => createApp(admin, name, settings);
  const row = await withApps(context, config, work, reasonOf(options));
  printDocument(context, options, appDocument(row), appLines);
}

async function update(context: CommandContext, name: string, options: AppOptions) {
  const settings = readSettings(options);
  const namesCredits = options.monthlyCredits ?? options.usdPerCredit;
  if (Object.keys(settings).length === 0 && namesCredits === undefined) {
    throw new UsageError(
      `apps update ${name}: names nothing to change; "apps update --help" lists what can be`,
    );
  }
  const config = readConfig(context, options);
  const work = async (admin: AdminContext) => {
    const { credits } = await appRow(admin, name);
    return updateApp(admin, name, { ...settings, ...readCredits(options, credits) });
  };
  const row = await withApps(context, config, work, reasonOf(options));
  printDocument(context, options, appDocument(row), appLines);
}

async function change(
  context: CommandContext,
  name: string,
  options: ChangeOptions,
  settings: Partial<AppSettings>,
) {
  const config = readConfig(context, options);
  const work = (admin: AdminContext) => updateApp(admin, name, settings);
  const row = await withApps(context, config, work, reasonOf(options));
  printDocument(context, options, appDocument(row), appLines);
}

function appsLines(apps: readonly ListedApp[]): readonly string[] {
  const table = tableLines(
    ['app', 'enabled', 'daily budget', 'models', 'credits a month', 'origin', 'project'],
    apps.map((app) => [
      app.name,
      yesNo(app.enabled),
      dollarsOr(app.dailyBudgetUsd, 'none'),
      app.models?.join(',') ?? 'all',
      app.credits?.monthlyGrant ?? 'none',
      app.drift.length === 0 ? app.origin : `${app.origin} *`,
      app.project,
    ]),
    'No app is registered: declare some in the configuration, or use "apps create".',
  );
  const notes = apps.flatMap(({ name, drift }) =>
    drift.length === 0 ? [] : [`* ${name} is not as the file says: ${drift.join(', ')}`],
  );
  return notes.length === 0 ? table : [...table, '', ...notes, '"config diff" shows both.'];
}

function appLines(app: AppDocument): readonly string[] {
  const { credits } = app;
  return factLines([
    ['app', app.name],
    ['enabled', yesNo(app.enabled)],
    ['daily budget', dollarsOr(app.dailyBudgetUsd, 'none')],
    ['models', app.models?.join(', ') ?? 'all'],
    [
      'credits',
      credits === null
        ? 'not metered'
        : `${credits.monthlyGrant} a month, $${credits.usdPerCredit} each`,
    ],
    ['unpriced models', app.unpriced ?? 'as the configuration says'],
    ['project', app.project],
    ['origin', app.origin === 'file' ? 'configuration file' : 'command line'],
  ]);
}
