import type { Command } from 'commander';
import { listHolds } from '../operations/calls/calls.ts';
import type { HoldDocument } from '../operations/calls/documents.ts';
import { dollars, tableLines } from '../operations/text-lines.ts';
import type { CommandContext, CommonOptions } from './context.ts';
import { printDocument } from './print.ts';
import { onApps } from './run-admin.ts';
import { withSharedOptions } from './shared-options.ts';

interface HoldsOptions extends CommonOptions {
  readonly app?: string;
}

/** `holds list [--app A]`: who holds how much now. */
export function registerHolds(program: Command, context: CommandContext): void {
  const holds = program.command('holds').description('money that is held for running calls');
  withSharedOptions(holds.command('list').description('list the open holds'))
    .option('--app <app>', 'only those of one app')
    .action((_options: unknown, command: Command) =>
      list(context, command.optsWithGlobals<HoldsOptions>()),
    );
}

async function list(context: CommandContext, options: HoldsOptions) {
  const holds = await onApps(context, options, (admin) => listHolds(admin, options.app));
  printDocument(context, options, holds, holdsLines);
}

function holdsLines(holds: readonly HoldDocument[]): readonly string[] {
  return tableLines(
    ['call', 'app', 'user', 'model', 'held', 'started', 'expires'],
    holds.map((hold) => [
      hold.id,
      hold.app,
      hold.userId ?? '-',
      hold.model,
      dollars(hold.heldUsd),
      hold.startedAt,
      hold.expiresAt,
    ]),
    'Nothing is held: no call is running.',
    ['held'],
  );
}
