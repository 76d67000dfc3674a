import type { Command } from 'commander';
import { type ClosedDay, closeDays } from '../admin/days.ts';
import { usd } from '../config/amounts.ts';
import { type CommonOptions, readConfig, type Shell, withApps } from './context.ts';
import { dollars, printDocument, tableLines } from './print.ts';
import { withSharedOptions } from './shared-options.ts';
import { readDay, readValue } from './values.ts';

interface CloseOptions extends CommonOptions {
  readonly day?: string;
  readonly usd?: string;
}

/** `days close [APP] [--day D] [--usd X]`: books what a restored ledger has lost. */
export function registerDays(program: Command, shell: Shell): void {
  const days = program.command('days').description('the days of a ledger that was restored');
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
