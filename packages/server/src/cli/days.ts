import type { Command } from 'commander';
import type { AdminContext } from '../admin/context.ts';
import { type ClosedDay, closeDays } from '../admin/days.ts';
import { type PlannedClosing, planClosing } from '../admin/plan-closing.ts';
import { type Pruned, planPrune, pruneDays } from '../admin/prune.ts';
import { type ReopenedDay, reopenDay } from '../admin/reopen-day.ts';
import { usd } from '../config/amounts.ts';
import { formatUsd } from '../lib/money.ts';
import { type ChangeOptions, reasonOf, withChangeOptions } from './change-options.ts';
import { confirm, type DangerOptions, tellDryRun, withDangerOptions } from './confirm.ts';
import { type CommandContext, readConfig, UsageError, withAdmin, withApps } from './context.ts';
import { dollars, printDocument, sameReference, tableLines } from './print.ts';
import { readDay, readValue } from './values.ts';

interface CloseOptions extends DangerOptions {
  readonly all?: boolean;
  readonly day?: string;
  readonly usd?: string;
  readonly reference?: string;
}

interface ReopenOptions extends ChangeOptions {
  readonly day?: string;
}

interface PruneOptions extends DangerOptions {
  readonly before: string;
}

/**
 * `days close APP|--all [--day D] [--usd X]` books what a restored ledger has lost, and `days
 * reopen APP [--day D]` takes that back; `days prune --before D` deletes the records of calls of
 * months that are over.
 */
export function registerDays(program: Command, context: CommandContext): void {
  const days = program.command('days').description('the days of the ledger');
  withDangerOptions(
    days
      .command('close [app]')
      .description(
        'book what the ledger has lost of a day: all that the budget has left, or --usd',
      ),
  )
    .option('--all', 'every app with a daily budget')
    .option('--reference <reference>', 'with --usd: the same reference acts once')
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .option('--usd <amount>', 'what the platform billed beyond the ledger')
    .action((app: string | undefined, _options: unknown, command: Command) =>
      close(context, app, command.optsWithGlobals<CloseOptions>()),
    );
  withChangeOptions(
    days
      .command('reopen <app>')
      .description('take back what was booked for lost calls of a day, where none was lost'),
  )
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .action((app: string, _options: unknown, command: Command) =>
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

async function prune(context: CommandContext, options: PruneOptions) {
  const before = readDay('--before', options.before);
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const work = async (admin: AdminContext) => {
    if (options.dryRun !== true) {
      const planned = options.yes === true ? undefined : await planPrune(admin, { before });
      const lines = planned === undefined ? [] : plannedPruneLines(planned);
      await confirm(context, config, options, { command: 'days prune', lines });
      return pruneDays(admin, { before });
    }
    tellDryRun(context);
    return planPrune(admin, { before });
  };
  const pruned = await withAdmin(context, config, work, reason);
  const lines = options.dryRun === true ? plannedPruneLines : prunedLines;
  printDocument(context, options, pruned, lines);
}

const reasons = { hold: 'a call of that day holds money', key: 'an idempotency key of it lives' };

function plannedPruneLines({ prunedBefore, calls, keptFor }: Pruned): readonly string[] {
  return [
    `This deletes ${recordsOf(calls)} of calls before ${prunedBefore}, for good.`,
    ...keptLines(keptFor),
  ];
}

function prunedLines({ prunedBefore, calls, keptFor }: Pruned): readonly string[] {
  const kept = keptLines(keptFor);
  if (prunedBefore === null) return ['There was no record to delete.', ...kept];
  return [`${recordsOf(calls)} deleted; those before ${prunedBefore} are gone.`, ...kept];
}

function recordsOf(calls: number): string {
  return calls === 1 ? '1 record' : `${calls} records`;
}

function keptLines(keptFor: Pruned['keptFor']): readonly string[] {
  if (keptFor === null) return [];
  return [`That day and those after it are kept, since ${reasons[keptFor]}: try again later.`];
}

async function close(context: CommandContext, app: string | undefined, options: CloseOptions) {
  if ((app === undefined) === (options.all !== true)) {
    throw new UsageError('days close: name one app, or --all for every app with a daily budget');
  }
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  const picoUsd = options.usd === undefined ? undefined : readValue('--usd', options.usd, usd);
  const closing = { app, day, picoUsd, reference: options.reference };
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const work = async (admin: AdminContext): Promise<readonly ClosedLine[]> => {
    const planned = await planClosing(admin, closing);
    if (options.dryRun === true) {
      tellDryRun(context);
      return planned.map(plannedDocument);
    }
    const left = planned.filter(({ doneBefore }) => doneBefore === undefined);
    if (left.length < planned.length) context.warn(sameReference);
    if (left.length > 0) await confirm(context, config, options, closeIntent(left));
    return closeDays(admin, closing);
  };
  printDocument(context, options, await withApps(context, config, work, reason), closedLines);
}

function plannedDocument({ app, day, picoUsd, doneBefore }: PlannedClosing): ClosedLine {
  return { app: app.name, day, callId: doneBefore ?? null, bookedUsd: formatUsd(picoUsd) };
}

function closeIntent(planned: readonly PlannedClosing[]) {
  const sums = planned.map(({ app, day, picoUsd }) => [app.name, day, dollars(formatUsd(picoUsd))]);
  const lines = [
    'This books as cost, and calls that no longer fit a budget are refused:',
    ...tableLines(['app', 'day', 'books'], sums, '', ['books']),
  ];
  return { command: 'days close', lines };
}

/** What was booked, or would be: then it has no record yet. */
interface ClosedLine extends Omit<ClosedDay, 'callId'> {
  readonly callId: string | null;
}

function closedLines(closed: readonly ClosedLine[]): readonly string[] {
  const rows = closed.map((row) => [row.app, row.day, dollars(row.bookedUsd), row.callId ?? '-']);
  const head = ['app', 'day', 'booked', 'call'];
  return tableLines(head, rows, 'Nothing is left that could be lost.', ['booked']);
}

async function reopen(context: CommandContext, app: string, options: ReopenOptions) {
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  const reason = reasonOf(options);
  const config = readConfig(context, options);
  const work = (admin: AdminContext) => reopenDay(admin, { app, day });
  const reopened = await withApps(context, config, work, reason);
  printDocument(context, options, reopened, reopenedLines);
}

function reopenedLines(reopened: readonly ReopenedDay[]): readonly string[] {
  const rows = reopened.map((row) => [row.app, row.day, dollars(row.freedUsd), row.callId]);
  return tableLines(['app', 'day', 'freed', 'call'], rows, '', ['freed']);
}
