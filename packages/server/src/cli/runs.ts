import type { Command } from 'commander';
import { endRun, listRuns, type RunDocument } from '../operations/runs/runs.ts';
import { dollars, factLines, tableLines } from '../operations/text-lines.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

interface ListOptions extends CommonOptions {
  readonly app?: string;
}

/** `runs list|end`: the runs that apps have made, each with a ceiling of its own. */
export function registerRuns(program: Command, context: CommandContext): void {
  const runs = program.command('runs').description('runs of apps, each with a ceiling of its own');
  withSharedOptions(runs.command('list').description('list the open runs, the newest first'))
    .option('--app <app>', 'only those of one app')
    .action((_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<ListOptions>()),
    );
  withChangeOptions(
    runs.command('end <id>').description('end a run: its calls are refused within 1 s'),
  ).action((id: string, _options: unknown, command: Command) =>
    end(context, id, command.optsWithGlobals<ChangeOptions>()),
  );
}

async function list(context: CommandContext, options: ListOptions) {
  const runs = await onApps(context, options, (admin) => listRuns(admin, options.app));
  printDocument(context, options, runs, listLines);
}

async function end(context: CommandContext, id: string, options: ChangeOptions) {
  const run = await onApps(context, options, (admin) => endRun(admin, id));
  printDocument(context, options, run, runLines);
}

function listLines(runs: readonly RunDocument[]): readonly string[] {
  return tableLines(
    ['run', 'app', 'user', 'ceiling', 'spent', 'held', 'expires', 'label'],
    runs.map((run) => [
      run.id,
      run.app,
      run.userId ?? '-',
      dollars(run.maxCostUsd),
      dollars(run.spentUsd),
      dollars(run.heldUsd),
      run.expiresAt,
      run.label ?? '',
    ]),
    'No run is open.',
    ['ceiling', 'spent', 'held'],
  );
}

function runLines(run: RunDocument): readonly string[] {
  return factLines([
    ['run', run.id],
    ['app', run.app],
    ['ceiling', dollars(run.maxCostUsd)],
    ['spent', dollars(run.spentUsd)],
    ['held', dollars(run.heldUsd)],
    ['ended', run.endedAt ?? `not before it expired, ${run.expiresAt}`],
  ]);
}
