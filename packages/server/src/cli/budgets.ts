import type { Command } from 'commander';
import { usd } from '../config/amounts.ts';
import { appName } from '../config/apps.ts';
import { oneOf, yesOrNo } from '../config/scalars.ts';
import { budgetModes } from '../domain/budget.ts';
import {
  type BudgetSettings,
  listBudgets,
  removeBudget,
  setBudget,
  showBudget,
} from '../operations/budgets/budgets.ts';
import {
  budgetsLines,
  budgetUseLines,
  removalLines,
  removedLines,
  reopeningLines,
} from '../operations/budgets/lines.ts';
import { planReopenBudget, reopenBudget } from '../operations/budgets/reopen-budgets.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, warnOfDryRun, withDangerOptions } from './confirm.ts';
import { type CommandContext, type CommonOptions, UsageError } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';
import { readListed, readValue } from './values.ts';

interface SetOptions extends ChangeOptions {
  readonly apps?: string;
  readonly dailyUsd?: string;
  readonly monthlyUsd?: string;
  readonly mode?: string;
  readonly visible?: string;
}

/** `budgets list|show|set|reopen|remove`: what apps, keys and users may spend beside its day. */
export function registerBudgets(program: Command, context: CommandContext): void {
  const budgets = program.command('budgets').description("budgets beside an app's own day");
  withSharedOptions(budgets.command('list').description('list every budget')).action(
    (_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<CommonOptions>()),
  );
  withSharedOptions(
    budgets
      .command('show <name>')
      .description("what a group's budget has come to; or that of app:NAME, key:ID or users:APP"),
  ).action((name: string, _options: unknown, command: Command) =>
    show(context, name, command.optsWithGlobals<CommonOptions>()),
  );
  withChangeOptions(
    budgets.command('set <name>').description('make a budget that apps share, or change it'),
  )
    .option('--apps <names>', 'the apps that share it, such as a,b; all for every app')
    .option('--daily-usd <amount>', 'what they may spend in a UTC day; none for no such cap')
    .option('--monthly-usd <amount>', 'what they may spend in a UTC month; none for no such cap')
    .option('--mode <mode>', 'enforce, or shadow: it refuses nothing, and counts what it would')
    .option('--visible <which>', 'true: callers are told its amounts; else false')
    .action((name: string, _options: unknown, command: Command) =>
      set(context, name, command.optsWithGlobals<SetOptions>()),
    );
  withDangerOptions(
    budgets
      .command('reopen <name>')
      .description('open a budget that a restored store has closed: calls are admitted again'),
  ).action((name: string, _options: unknown, command: Command) =>
    reopen(context, name, command.optsWithGlobals<DangerOptions>()),
  );
  withDangerOptions(
    budgets.command('remove <name>').description('end a budget: calls are not held to it any more'),
  ).action((name: string, _options: unknown, command: Command) =>
    remove(context, name, command.optsWithGlobals<DangerOptions>()),
  );
}

async function list(context: CommandContext, options: CommonOptions) {
  const budgets = await onApps(context, options, listBudgets);
  printDocument(context, options, budgets, budgetsLines);
}

async function show(context: CommandContext, name: string, options: CommonOptions) {
  const budget = await onApps(context, options, (admin) => showBudget(admin, name));
  printDocument(context, options, budget, budgetUseLines);
}

async function set(context: CommandContext, name: string, options: SetOptions) {
  const settings = readSettings(options);
  if (Object.values(settings).every((value) => value === undefined)) {
    throw new UsageError(
      `budgets set ${name}: nothing to set: give at least one option ("budgets set --help" lists them)`,
    );
  }
  const budget = await onApps(
    context,
    options,
    (admin, config) => setBudget(admin, name, settings, config.budgets),
    { parts: ['budgets'] },
  );
  printDocument(context, options, budget, budgetUseLines);
}

function readSettings({ apps, dailyUsd, monthlyUsd, mode, visible }: SetOptions): BudgetSettings {
  return {
    apps:
      apps === undefined || apps === 'all'
        ? apps
        : readListed('--apps', apps, appName, 'search,reports'),
    dailyPicoUsd: capOf('--daily-usd', dailyUsd),
    monthlyPicoUsd: capOf('--monthly-usd', monthlyUsd),
    mode: mode === undefined ? undefined : readValue('--mode', mode, oneOf(budgetModes)),
    isVisible: visible === undefined ? undefined : readValue('--visible', visible, yesOrNo),
  };
}

function capOf(option: string, text: string | undefined): bigint | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : readValue(option, text, usd);
}

async function reopen(context: CommandContext, name: string, options: DangerOptions) {
  const reopened = await onApps(context, options, async (admin, config) => {
    const budgets = await planReopenBudget(admin, name);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return budgets;
    }
    const intent = { command: 'budgets reopen', lines: reopeningLines(budgets) };
    await confirm(context, config, options, intent);
    return reopenBudget(admin, name);
  });
  printDocument(context, options, reopened, budgetUseLines);
}

async function remove(context: CommandContext, name: string, options: DangerOptions) {
  const removed = await onApps(context, options, async (admin, config) => {
    const budgets = await showBudget(admin, name);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return budgets;
    }
    const intent = { command: 'budgets remove', lines: removalLines(budgets) };
    await confirm(context, config, options, intent);
    return removeBudget(admin, name);
  });
  printDocument(context, options, removed, removedLines);
}
