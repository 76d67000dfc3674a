import type { Command } from 'commander';
import type { Config } from '../domain/config.ts';
import { AdminError } from '../operations/context/admin-error.ts';
import { type CommandContext, UsageError } from './process/context.ts';
import { type ChangeOptions, withChangeOptions } from './process/option-input.ts';

/** For commands that cannot be undone, or that stop calls. */
export interface DangerOptions extends ChangeOptions {
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export function withDangerOptions(command: Command): Command {
  return withChangeOptions(command)
    .option('--yes', 'skip confirmation; required without a terminal')
    .option('--dry-run', 'preview; change nothing');
}

/**
 * Waits until the company's name is typed. Throws a UsageError without a terminal or `--yes`, and
 * an AdminError for another name.
 */
export async function confirm(
  context: CommandContext,
  config: Pick<Config, 'company'>,
  options: { readonly yes?: boolean | undefined },
  intent: { readonly command: string; readonly lines: readonly string[] },
): Promise<void> {
  if (options.yes === true) return;
  const { command, lines } = intent;
  for (const line of lines) context.warn(line);
  if (context.ask === undefined) {
    throw new UsageError(
      `${command}: nothing was changed. There is no terminal for confirmation; add --yes, or --dry-run to preview`,
    );
  }
  const typed = await context.ask(`Type the company name (${config.company}) to continue: `);
  if (typed.trim() === config.company) return;
  throw new AdminError(`${command}: nothing was changed`);
}

export function warnOfDryRun(context: CommandContext) {
  context.warn('Dry run: nothing was changed.');
}
