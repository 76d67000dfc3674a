import type { Command } from 'commander';
import type { Config } from '../domain/config.ts';
import { AdminError } from '../operations/admin-error.ts';
import { type ChangeOptions, withChangeOptions } from './change-options.ts';
import { type CommandContext, UsageError } from './context.ts';

/** Options of commands that cannot be taken back, or that stop calls. */
export interface DangerOptions extends ChangeOptions {
  readonly yes?: boolean;
  /** The older word for `yes` of commands that have it. */
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** Gives a dangerous command the options of every change, `--yes` and `--dry-run`. */
export function withDangerOptions(command: Command): Command {
  return withChangeOptions(command)
    .option('--yes', 'do not ask; needed where there is no terminal')
    .option('--dry-run', 'show what it would do, and change nothing');
}

/**
 * Shows what a command is about to do, and waits for the company's name to be typed. `--yes` says
 * it beforehand; where there is no terminal it has to: throws a UsageError without it. Throws an
 * AdminError when something else was typed.
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
      `${command}: nothing was changed; there is no terminal to ask at, so add --yes to do this (--dry-run shows it alone)`,
    );
  }
  const typed = await context.ask(`Type the name of the company, ${config.company}, to go on: `);
  if (typed.trim() === config.company) return;
  throw new AdminError(`${command}: nothing was changed`);
}

/** Says of a document that it is of a dry run; it goes to standard error, beside the document. */
export function warnOfDryRun(context: CommandContext) {
  context.warn('A dry run: nothing was changed.');
}
