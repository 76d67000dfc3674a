import type { Command } from 'commander';
import type { AppSettings } from '../domain/app.ts';
import type { Config } from '../domain/config.ts';
import { appDocument } from '../operations/apps/app-document.ts';
import { appRow, createApp, updateApp } from '../operations/apps/apps.ts';
import { capToday } from '../operations/apps/cap-today.ts';
import { grantChange } from '../operations/apps/grant-change.ts';
import { appLines, appsLines, raisedLines } from '../operations/apps/lines.ts';
import { listApps } from '../operations/apps/list-apps.ts';
import {
  type AppOptions,
  readCredits,
  readSettings,
  readTags,
  withAppOptions,
} from './app-options.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { confirm } from './confirm.ts';
import { type CommandContext, type CommonOptions, UsageError } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

interface UpdateOptions extends AppOptions {
  readonly until?: string;
  readonly yes?: boolean;
}

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
    withAppOptions(
      apps.command('update <name>').description('change the settings that the options name'),
    ),
  )
    .option('--until <when>', 'midnight: --daily-budget-usd is of today alone (UTC)')
    .option('--yes', 'do not ask at a terminal when a grant changes')
    .action((name: string, _options: unknown, command: Command) =>
      updateNamed(context, name, command.optsWithGlobals<UpdateOptions>()),
    );
  withChangeOptions(apps.command('enable <name>').description('enable a disabled app')).action(
    (name: string, _options: unknown, command: Command) =>
      update(context, name, command.optsWithGlobals<ChangeOptions>(), { enabled: true }),
  );
  withChangeOptions(
    apps.command('disable <name>').description('disable an app: its calls are refused'),
  ).action((name: string, _options: unknown, command: Command) =>
    update(context, name, command.optsWithGlobals<ChangeOptions>(), { enabled: false }),
  );
}

async function list(context: CommandContext, options: CommonOptions) {
  const apps = await onApps(context, options, (admin, config) => listApps(admin, config.apps));
  printDocument(context, options, apps, appsLines);
}

async function create(context: CommandContext, name: string, options: AppOptions) {
  const tags = readTags(options, {});
  const settings = { ...readSettings(options), ...readCredits(options, null), ...tags };
  const app = await onApps(context, options, (admin) => createApp(admin, name, settings));
  printDocument(context, options, app, appLines);
}

async function updateNamed(context: CommandContext, name: string, options: UpdateOptions) {
  if (options.until !== undefined) return raise(context, name, options);
  const settings = readSettings(options);
  const others = options.monthlyCredits ?? options.usdPerCredit ?? options.tag;
  if (Object.keys(settings).length === 0 && others === undefined) {
    throw new UsageError(
      `apps update ${name}: nothing to change: give at least one option ("apps update --help" lists them)`,
    );
  }
  const app = await onApps(context, options, async (admin, config) => {
    const row = await appRow(admin, name);
    const { credits, tags } = appDocument(row);
    const more = { ...readCredits(options, credits), ...readTags(options, tags) };
    const grant = await grantChange(admin, row, more);
    if (grant !== null) await showGrant(context, config, options, grant);
    return updateApp(admin, name, { ...settings, ...more });
  });
  printDocument(context, options, app, appLines);
}

/** Without a terminal the change follows at once. */
async function showGrant(
  context: CommandContext,
  config: Pick<Config, 'company'>,
  options: UpdateOptions,
  grant: string,
) {
  if (context.ask === undefined || options.yes === true) return context.warn(grant);
  await confirm(context, config, options, { command: 'apps update', lines: [grant] });
}

/** Another cap for the rest of the day: what ends by itself cannot be forgotten. */
async function raise(context: CommandContext, name: string, options: UpdateOptions) {
  const { dailyBudgetPicoUsd: cap, ...others } = readSettings(options);
  const more = options.monthlyCredits ?? options.tag;
  const isAlone = Object.keys(others).length === 0 && more === undefined;
  if (options.until !== 'midnight') {
    throw new UsageError(`--until: ${JSON.stringify(options.until)} is not midnight`);
  }
  if (cap === undefined || !isAlone || options.usdPerCredit !== undefined) {
    throw new UsageError(
      '--until midnight: needs --daily-budget-usd with an amount, and is of no other setting; change those by a command of their own',
    );
  }
  const raised = await onApps(context, options, (admin) => capToday(admin, name, cap));
  printDocument(context, options, raised, raisedLines);
}

async function update(
  context: CommandContext,
  name: string,
  options: ChangeOptions,
  settings: Partial<AppSettings>,
) {
  const app = await onApps(context, options, (admin) => updateApp(admin, name, settings));
  printDocument(context, options, app, appLines);
}
