import type { Command } from 'commander';
import type { CommonOptions } from './context.ts';
import { withSharedOptions } from './shared-options.ts';
import { readLine } from './values.ts';

/** Options of every command that changes something. */
export interface ChangeOptions extends CommonOptions {
  readonly reason?: string;
}

/** Gives a command that changes something the shared options, and `--reason`. */
export function withChangeOptions(command: Command): Command {
  return withSharedOptions(command).option('--reason <text>', 'why, for the audit log');
}

/** The reason that was given; throws a UsageError for a text that is none. */
export function reasonOf({ reason }: ChangeOptions): string | undefined {
  return reason === undefined ? undefined : readLine('--reason', reason);
}
