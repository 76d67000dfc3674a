import type { Command } from 'commander';
import { usd } from '../config/amounts.ts';
import { planReopenAll, reopenAll } from '../operations/budgets/reopen-budgets.ts';
import { closeDays } from '../operations/days/days.ts';
import {
  closedLines,
  closingIntentLines,
  plannedPruneLines,
  prunedLines,
  reopenedAllLines,
  reopenedLines,
  reopeningIntentLines,
  reopeningLines,
  restoredLines,
  restoreIntentLines,
} from '../operations/days/lines.ts';
import { closesAll, planClosing } from '../operations/days/plan-closing.ts';
import { planPrune, pruneDays } from '../operations/days/prune.ts';
import { planReopening, reopenDay } from '../operations/days/reopen-day.ts';
import { planRestore } from '../operations/days/restores.ts';
import { sameReference } from '../operations/text-lines.ts';
import {
  confirm,
  confirmAtTerminal,
  type DangerOptions,
  warnOfDryRun,
  withDangerOptions,
} from './confirm.ts';
import { type CommandContext, UsageError } from './context.ts';
import { printDocument } from './print.ts';
import { onApps, onStore } from './run-admin.ts';
import { readDay, readValue } from './values.ts';

interface CloseOptions extends DangerOptions {
  readonly all?: boolean;
  readonly day?: string;
  readonly usd?: string;
  readonly reference?: string;
}

interface ReopenOptions extends DangerOptions {
  readonly all?: boolean;
  readonly day?: string;
}

interface PruneOptions extends DangerOptions {
  readonly before: string;
}

/**
 * `days close APP|--all [--day D] [--usd X]` books what a restored ledger has lost, and `days
 * reopen APP|--all [--day D]` takes that back; `--all` closes and opens every other budget too.
 * `days prune --before D` deletes the records of calls of months that are over.
 */
export function registerDays(program: Command, context: CommandContext): void {
  const days = program.command('days').description('the days of the ledger');
  withDangerOptions(
    days
      .command('close [app]')
      .description('book calls that a restored ledger has lost: the rest of the budget, or --usd'),
  )
    .option('--all', 'every app with a daily budget, and every other budget')
    .option('--reference <reference>', 'with --usd: the same reference acts once')
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .option('--usd <amount>', 'what the platform billed beyond the ledger')
    .action((app: string | undefined, _options: unknown, command: Command) =>
      close(context, app, command.optsWithGlobals<CloseOptions>()),
    );
  withDangerOptions(
    days
      .command('reopen [app]')
      .description('take back what days close has booked, where no call was lost'),
  )
    .option('--all', 'every app, and every other budget that a restore has closed')
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .action((app: string | undefined, _options: unknown, command: Command) =>
      reopen(context, app, command.optsWithGlobals<ReopenOptions>()),
    );
  withDangerOptions(
    days
      .command('prune')
      .description('delete the records of calls of months that are over; usage and budgets stay'),
  )
    .requiredOption('--before <day>', 'the first UTC day whose records are kept')
    .action((_options: unknown, command: Command) =>
      prune(context, command.optsWithGlobals<PruneOptions>()),
    );
}

async function close(context: CommandContext, app: string | undefined, options: CloseOptions) {
  if ((app === undefined) === (options.all !== true)) {
    throw new UsageError('days close: name one app, or --all for every app with a daily budget');
  }
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  const picoUsd = options.usd === undefined ? undefined : readValue('--usd', options.usd, usd);
  const closing = { app, day, picoUsd, reference: options.reference };
  const closed = await onApps(context, options, async (admin, config) => {
    const planned = await planClosing(admin, closing);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return planned;
    }
    const fresh = planned.filter(({ callId }) => callId === null);
    if (fresh.length < planned.length) context.warn(sameReference);
    const others = closesAll(closing) ? await planRestore(admin) : undefined;
    const lines = [...closingIntentLines(fresh), ...restoreIntentLines(others)];
    if (lines.length > 0) {
      await confirm(context, config, options, { command: 'days close', lines });
    }
    const made = await closeDays(admin, closing);
    for (const line of restoredLines(others)) context.warn(line);
    return made;
  });
  printDocument(context, options, closed, closedLines);
}

async function reopen(context: CommandContext, app: string | undefined, options: ReopenOptions) {
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  if ((app === undefined) === (options.all !== true)) {
    throw new UsageError('days reopen: name one app, or --all for every budget that is closed');
  }
  if (app === undefined) return reopenEvery(context, day, options);
  const reopening = { app, day };
  const reopened = await onApps(context, options, async (admin, config) => {
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return planReopening(admin, reopening);
    }
    const planned = options.yes === true ? [] : await planReopening(admin, reopening);
    const intent = { command: 'days reopen', lines: reopeningIntentLines(planned) };
    await confirmAtTerminal(context, config, options, intent);
    return reopenDay(admin, reopening);
  });
  printDocument(context, options, reopened, reopenedLines);
}

async function reopenEvery(
  context: CommandContext,
  day: string | undefined,
  options: ReopenOptions,
) {
  const reopened = await onApps(context, options, async (admin, config) => {
    const planned = await planReopenAll(admin, day);
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return planned;
    }
    const lines = reopeningLines(planned);
    await confirm(context, config, options, { command: 'days reopen', lines });
    return reopenAll(admin, day);
  });
  printDocument(context, options, reopened, reopenedAllLines);
}

async function prune(context: CommandContext, options: PruneOptions) {
  const pruning = { before: readDay('--before', options.before) };
  const pruned = await onStore(context, options, async (admin, config) => {
    if (options.dryRun === true) {
      warnOfDryRun(context);
      return planPrune(admin, pruning);
    }
    const planned = options.yes === true ? undefined : await planPrune(admin, pruning);
    const lines = planned === undefined ? [] : plannedPruneLines(planned);
    await confirm(context, config, options, { command: 'days prune', lines });
    return pruneDays(admin, pruning);
  });
  const lines = options.dryRun === true ? plannedPruneLines : prunedLines;
  printDocument(context, options, pruned, lines);
}
