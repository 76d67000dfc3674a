import type { Command } from 'commander';
import { type ClosedDay, closeDays } from '../admin/days.ts';
import { type Pruned, pruneDays } from '../admin/prune.ts';
import { type ReopenedDay, reopenDay } from '../admin/reopen-day.ts';
import { usd } from '../config/amounts.ts';
import { type CommonOptions, readConfig, type Shell, withApps, withOffice } from './context.ts';
import { dollars, printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay, readValue } from './values.ts';

interface CloseOptions extends CommonOptions {
  readonly day?: string;
  readonly usd?: string;
}

interface ReopenOptions extends CommonOptions {
  readonly day?: string;
}

interface PruneOptions extends CommonOptions {
  readonly before: string;
}

/**
 * `days close [APP] [--day D] [--usd X]` books what a restored ledger has lost, and `days reopen
 * APP [--day D]` takes that back; `days prune --before D` deletes the records of calls of months
 * that are over.
 */
export function registerDays(program: Command, shell: Shell): void {
  const days = program.command('days').description('the days of the ledger');
  withSharedOptions(
    days
      .command('close [app]')
      .description(
        'book what the ledger has lost of a day: all that the budget has left, or --usd',
      ),
  )
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .option('--usd <amount>', 'what the platform billed beyond the ledger')
    .action((app: string | undefined, _options: unknown, command: Command) =>
      close(shell, app, command.optsWithGlobals<CloseOptions>()),
    );
  withSharedOptions(
    days
      .command('reopen <app>')
      .description('take back what was booked for lost calls of a day, where none was lost'),
  )
    .option('--day <day>', 'a UTC day such as 2026-11-21; else today')
    .action((app: string, _options: unknown, command: Command) =>
      reopen(shell, app, command.optsWithGlobals<ReopenOptions>()),
    );
  withSharedOptions(
    days
      .command('prune')
      .description('delete the records of calls of months that are over; usage and budgets stay'),
  )
    .requiredOption('--before <day>', 'the first UTC day whose records are kept')
    .action((_options: unknown, command: Command) =>
      prune(shell, command.optsWithGlobals<PruneOptions>()),
    );
}

async function prune(shell: Shell, options: PruneOptions) {
  const before = readDay('--before', options.before);
  const config = readConfig(shell, options);
  const pruned = await withOffice(shell, config, (office) => pruneDays(office, { before }));
  printDocument(shell, options, pruned, prunedLines);
}

const reasons = { hold: 'a call of that day holds money', key: 'an idempotency key of it lives' };

function prunedLines({ prunedBefore, calls, keptFor }: Pruned): readonly string[] {
  const line = `${calls} records were deleted; those before ${prunedBefore} are gone.`;
  if (keptFor === null) return [line];
  return [
    line,
    `That day and those after it are kept, since ${reasons[keptFor]}: try again later.`,
  ];
}

async function close(shell: Shell, app: string | undefined, options: CloseOptions) {
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  const picoUsd = options.usd === undefined ? undefined : readValue('--usd', options.usd, usd);
  const config = readConfig(shell, options);
  const closed = await withApps(shell, config, (office) =>
    closeDays(office, { app, day, picoUsd }),
  );
  printDocument(shell, options, closed, closedLines);
}

function closedLines(closed: readonly ClosedDay[]): readonly string[] {
  const rows = closed.map((row) => [row.app, row.day, dollars(row.bookedUsd), row.callId]);
  return tableLines(['app', 'day', 'booked', 'call'], rows, 'Nothing is left that could be lost.');
}

async function reopen(shell: Shell, app: string, options: ReopenOptions) {
  const day = options.day === undefined ? undefined : readDay('--day', options.day);
  const config = readConfig(shell, options);
  const reopened = await withApps(shell, config, (office) => reopenDay(office, { app, day }));
  printDocument(shell, options, reopened, reopenedLines);
}

function reopenedLines(reopened: readonly ReopenedDay[]): readonly string[] {
  const rows = reopened.map((row) => [row.app, row.day, dollars(row.freedUsd), row.callId]);
  return tableLines(['app', 'day', 'freed', 'call'], rows, '');
}
