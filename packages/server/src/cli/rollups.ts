import type { Command } from 'commander';
import { type Rebuilt, rebuildRollups } from '../operations/reports/rebuild-rollups.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import type { CommandContext } from './context.ts';
import { printDocument } from './print.ts';
import { createProgress } from './progress.ts';
import { onStore } from './run-admin.ts';

/** `rollups rebuild`: makes the sums of reports anew from the records of calls. */
export function registerRollups(program: Command, context: CommandContext): void {
  const rollups = program.command('rollups').description('the sums that reports are made of');
  withChangeOptions(
    rollups
      .command('rebuild')
      .description('make them anew from the records, and put right those that differ'),
  ).action((_options: unknown, command: Command) =>
    rebuild(context, command.optsWithGlobals<ChangeOptions>()),
  );
}

async function rebuild(context: CommandContext, options: ChangeOptions) {
  const progress = createProgress(context);
  const rebuilt = await onStore(context, options, (admin) => rebuildRollups(admin, progress));
  printDocument(context, options, rebuilt, rebuiltLines);
}

function rebuiltLines({ months, rows }: Rebuilt): readonly string[] {
  const found = rows === 0 ? 'no sum differs' : `${rows} sums put right`;
  return [`${months.length} months compared with their records; ${found}.`];
}
